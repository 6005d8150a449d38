"use strict";

/**
 * Starts GraphiQL on its page and fixes two of its gaps: the restored tab and the schema refresh. GraphiQL
 * stores its tabs in the browser's storage under the keys that this script uses.
 *
 * @param {Record<string, unknown>} options GraphiQL options that are the same for all visitors
 */
function openGraphiQL(options) {
  reopenTab();
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById("root"), {
    ...options,
    onEditHeaders: schemaReader(),
    // By default GraphiQL writes the query to the page's URL. A reload would then return a query result
    // instead of the page.
    onEditQuery: () => {},
  });
}

/**
 * Makes GraphiQL reopen the tab that was open last. By default GraphiQL opens the tab that matches the last
 * edited text. If no tab matches, GraphiQL opens an empty tab.
 */
function reopenTab() {
  try {
    const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem("graphiql:tabState") ?? "{}");
    const open = tabs?.[activeTabIndex];
    if (!open) return;
    for (const name of ["query", "variables"]) localStorage.setItem(`graphiql:${name}`, open[name] ?? "");
  } catch {
    // Storage is disabled or has unexpected content. GraphiQL then opens like on a first visit.
  }
}

/**
 * Refreshes the schema when the token in the headers has changed and the user stops typing. By default
 * GraphiQL reads the schema only when the page opens, before a token is entered. To refresh, this function
 * triggers GraphiQL's keyboard shortcut.
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
