/** @jsxImportSource @kitajs/html */
import { diffWords, type DiffPart } from "./word-diff.ts";

/** The changes of a text: removed parts struck through, new parts underlined. */
export function Differences({ before, after }: { before: string; after: string }) {
  return (
    <div class="differences" dir="auto">
      {diffWords(before, after).map((stretch) => (
        <Marked {...stretch} />
      ))}
    </div>
  );
}

function Marked({ is, text }: DiffPart) {
  if (is === "removed") return <del safe>{text}</del>;
  if (is === "added") return <ins safe>{text}</ins>;
  return <span safe>{text}</span>;
}
