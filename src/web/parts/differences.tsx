/** @jsxImportSource @kitajs/html */
import { differences, type Stretch } from "./word-diff.ts";

/** What became of a text, as it was typed: what is gone struck, what is new underlined. */
export function Differences({ before, after }: { before: string; after: string }) {
  return (
    <div class="differences" dir="auto">
      {differences(before, after).map((stretch) => (
        <Marked {...stretch} />
      ))}
    </div>
  );
}

function Marked({ is, text }: Stretch) {
  if (is === "removed") return <del safe>{text}</del>;
  if (is === "added") return <ins safe>{text}</ins>;
  return <span safe>{text}</span>;
}
