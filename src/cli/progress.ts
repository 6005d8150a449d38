import { SingleBar } from "cli-progress";

/** Shows the progress of a long operation on stderr: a bar on a terminal, nothing in a script. */
export function progressBar(): { show(done: number, total: number, label: string): void; done(): void } {
  const bar = new SingleBar({
    format: "  {what} {bar} {percentage}% {value}/{total}",
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  let isShown = false;
  return {
    show(done, total, label) {
      if (!process.stderr.isTTY) return;
      if (isShown) {
        bar.setTotal(total);
        bar.update(done, { what: label });
      } else bar.start(total, done, { what: label });
      isShown = true;
    },
    done() {
      if (isShown) bar.stop();
    },
  };
}
