import type { EncodedSizes, PictureStorage } from "../core/community/media/picture-storage.ts";
import ferryDisplay from "../../data/seed/pictures/ferry-display.webp" with { type: "file" };
import lamplighter from "../../data/seed/pictures/lamplighter.webp" with { type: "file" };
import pitchpipe from "../../data/seed/pictures/pitchpipe.webp" with { type: "file" };
import shadewalk from "../../data/seed/pictures/shadewalk.webp" with { type: "file" };
import slipway from "../../data/seed/pictures/slipway.webp" with { type: "file" };

/** Paths of the pictures by file name. A compiled program contains the files. */
const PICTURES: Readonly<Record<string, string>> = {
  "ferry-display.webp": ferryDisplay,
  "lamplighter.webp": lamplighter,
  "pitchpipe.webp": pitchpipe,
  "shadewalk.webp": shadewalk,
  "slipway.webp": slipway,
};

/** Re-encoded pictures by file name. */
export type EncodedPictures = ReadonlyMap<string, EncodedSizes>;

/** Re-encodes the pictures of the hand-written posts, like uploads. */
export async function encode(storage: PictureStorage): Promise<EncodedPictures> {
  const encoded = new Map<string, EncodedSizes>();
  await Promise.all(
    Object.entries(PICTURES).map(async ([name, path]) => {
      const file = await storage.receive();
      try {
        await file.write(await Bun.file(path).bytes());
        encoded.set(name, await storage.encode(file, name));
      } finally {
        await file.discard();
      }
    }),
  );
  return encoded;
}
