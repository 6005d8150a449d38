"use strict";

/**
 * Starts GraphiQL on its page and fixes two of its gaps: the restored tab and the schema refresh. GraphiQL
 * stores its tabs in the browser under the names used here.
 * @param {Record<string, unknown>} options what does not depend on the visit
 */
function openGraphiQL(options) {
  reopenTab();
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById("root"), {
    ...options,
    onEditHeaders: schemaReader(),
    // By default the query is written to the address. A reload would then return a result instead of the
    // page.
    onEditQuery: () => {},
  });
}

/**
 * Makes GraphiQL reopen the tab that was open last. By default GraphiQL opens the tab that matches the last
 * edited text, and an empty tab if none matches.
 */
function reopenTab() {
  try {
    const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem("graphiql:tabState") ?? "{}");
    const open = tabs?.[activeTabIndex];
    if (!open) return;
    for (const name of ["query", "variables"]) localStorage.setItem(`graphiql:${name}`, open[name] ?? "");
  } catch {
    // Storage is disabled or has unexpected content: treat it as a first visit.
  }
}

/**
 * Refreshes the schema when the token in the headers changes and typing has stopped. GraphiQL reads the
 * schema only when the page opens, before anyone can enter a token. The refresh uses GraphiQL's keyboard
 * shortcut.
 */
function schemaReader() {
  let read;
  let wait;
  return (headers) => {
    clearTimeout(wait);
    const token = /"authorization"\s*:\s*"bearer\s+(\S+)"/i.exec(headers)?.[1];
    if (token === undefined || token === read) return;
    wait = setTimeout(() => {
      read = token;
      dispatchEvent(new KeyboardEvent("keydown", { key: "R", ctrlKey: true, shiftKey: true }));
    }, 400);
  };
}
