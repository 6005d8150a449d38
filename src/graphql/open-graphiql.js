"use strict";

/**
 * Starts GraphiQL on its page, and does two things that it leaves to others. It keeps its tabs in the
 * browser's storage under these names.
 * @param {Record<string, unknown>} options what does not depend on the visit
 */
function openGraphiQL(options) {
  reopenTab();
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById("root"), {
    ...options,
    onEditHeaders: schemaReader(),
    // It would put each letter typed into the address, which asks for an answer and no page when it is loaded
    // again.
    onEditQuery: () => {},
  });
}

/**
 * GraphiQL opens the tab whose text is the one that was edited last, and an empty one where there is none
 * such: after a visit on which nothing was edited. So it is told that the tab which was open is the one.
 */
function reopenTab() {
  try {
    const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem("graphiql:tabState") ?? "{}");
    const open = tabs?.[activeTabIndex];
    if (!open) return;
    for (const name of ["query", "variables"]) localStorage.setItem(`graphiql:${name}`, open[name] ?? "");
  } catch {
    // A browser that keeps nothing, or something else under that name: a first visit.
  }
}

/**
 * GraphiQL reads the schema when its page opens, before anybody can have typed a token. So it reads it again,
 * as by its own keys, when another token stands in the headers and nobody types any more.
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
