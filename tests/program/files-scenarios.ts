import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { until } from "../delivery/receiver.ts";
import { emptyFolder, type Program, serve } from "./programs.ts";

/** docs/threats.md#K11: the process runs out of file descriptors. */
export function filesScenarios(getProgram: () => Program): void {
  test("without free file descriptors the server serves open connections, refuses new ones, and recovers", async () => {
    using folder = emptyFolder();
    const { name, command } = getProgram();
    const limited = { name, command: ["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh", ...command] };
    await using server = await serve(limited, { cwd: folder.path, args: ["--data", "d"] });
    const { hostname, port } = new URL(server.url);
    const answers = () =>
      fetch(`${server.url}/healthz`, { keepalive: false, headers: { connection: "close" } }).then(
        ({ status }) => status,
        () => "refused",
      );
    expect(await answers()).toBe(200);

    // Unfinished requests, each of which keeps a connection open.
    const held: Socket[] = [];
    const isReported = (): boolean => server.output().includes("file descriptors are running out");
    for (let i = 0; i < 200 && !isReported(); i++) {
      const socket = connect(Number(port), hostname);
      const isConnected = await new Promise<boolean>((resolve) => {
        socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      });
      socket.on("error", () => {});
      if (!isConnected) break;
      socket.write("GET /healthz HTTP/1.1\r\n");
      held.push(socket);
    }
    await until(isReported);
    const [first] = held;
    const answer = new Promise<string>((resolve) => first?.once("data", (data) => resolve(String(data))));
    first?.write("Host: localhost\r\n\r\n");
    expect(await answer).toStartWith("HTTP/1.1 200");
    expect(await answers()).toBe("refused");

    for (const socket of held) socket.destroy();
    await until(() => server.output().includes("new connections are accepted again"));
    expect(await answers()).toBe(200);
    server.signal("SIGTERM");
    expect(await server.exited).toBe(0);
  });
}
