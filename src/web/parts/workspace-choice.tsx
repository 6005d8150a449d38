/** @jsxImportSource @kitajs/html */
import type { Caller } from "../../core/identity/access/caller.ts";
import {
  getWorkspace,
  listWorkspaces,
  type OwnWorkspace,
} from "../../core/delegation/workspaces/workspaces.ts";
import type { PageContext, PersonContext } from "../request/route.ts";
import { Select } from "./parts.tsx";

/** The workspace of a settings page: the one in its URL, or the personal workspace. */
export interface WorkspacePath {
  workspace: OwnWorkspace;
  /** The person as a caller in that workspace. */
  caller: Caller & { builderId: string; workspaceId: string };
  all: readonly OwnWorkspace[];
}

/** Returns the workspace of a page. Throws not_found for a workspace that the person does not belong to. */
export function workspaceOf({ core, person, query, form }: PersonContext): WorkspacePath {
  const id = query.get("workspace") ?? form.get("workspace") ?? person.caller.workspaceId;
  const workspace = getWorkspace(core, person.caller, id);
  return {
    workspace,
    caller: { ...person.caller, workspaceId: id },
    all: listWorkspaces(core, person.caller, person.caller.username),
  };
}

/**
 * Returns the URL of a settings page in a workspace. For the personal workspace, the URL names no workspace.
 */
export function workspaceUrl(path: string, { workspace }: WorkspacePath): string {
  return workspace.isPersonal ? path : `${path}?workspace=${workspace.id}`;
}

/** The field to choose the workspace of a new item, if there are several. */
export function WorkspaceField({
  workspacePath,
  messages,
}: {
  workspacePath: WorkspacePath;
  messages: { workspace: string; workspaceHint: string; personal: string };
}) {
  if (workspacePath.all.length < 2) return "";
  return (
    <Select
      name="workspace"
      label={messages.workspace}
      hint={messages.workspaceHint}
      options={workspacePath.all.map(({ id, name, isPersonal }) => ({
        value: id,
        words: isPersonal ? messages.personal : name,
        isOn: id === workspacePath.workspace.id,
      }))}
    />
  );
}

/** The links to choose which workspace a page shows, if there are several. */
export function WorkspaceChoice({
  ctx,
  workspacePath,
  path,
}: {
  ctx: PageContext;
  workspacePath: WorkspacePath;
  path: string;
}) {
  if (workspacePath.all.length < 2) return "";
  return (
    <nav class="choice-row" aria-label={ctx.messages.common.workspace}>
      {workspacePath.all.map((workspace) => (
        <a
          href={workspaceUrl(path, { ...workspacePath, workspace })}
          aria-current={workspace.id === workspacePath.workspace.id ? "true" : undefined}
          dir="auto"
          safe
        >
          {workspace.isPersonal ? ctx.messages.common.personal : workspace.name}
        </a>
      ))}
    </nav>
  );
}
