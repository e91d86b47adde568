/**
 * Keeps the videos of a pack: their files are stored before the import, and belong to the school as soon as it has
 * succeeded.
 */
import type { AnyContent } from '@parley/domain';
import type { Database } from '../../db/client.ts';
import type { MediaTransfer } from '../../media/index.ts';
import { type OpenedVideo, toBase64Url, withAddresses } from './open-pack.ts';

export interface StoredVideos {
  /** The documents with the addresses of the stored files. */
  contents: AnyContent[];
  keep: (tx: Database) => Promise<void>;
  /** Deletes the stored files that were not kept. */
  abandon: () => Promise<void>;
}

export async function storeVideos(
  transfer: MediaTransfer,
  {
    contents,
    videos,
    actorId,
  }: { contents: readonly AnyContent[]; videos: readonly OpenedVideo[]; actorId: string | null },
): Promise<StoredVideos> {
  const stored = new Map<string, { id: string; video: OpenedVideo }>();
  const abandon = async (): Promise<void> => {
    for (const { id } of stored.values()) await transfer.abandon(id);
  };
  try {
    for (const video of videos) {
      if (video.kept !== null || stored.has(video.sha256)) continue;
      const id = await transfer.store(video.arrived, { actorId, fileName: video.fileName });
      stored.set(video.sha256, { id, video });
    }
  } catch (error) {
    await abandon();
    throw error;
  }
  const idOf = ({ kept, sha256 }: OpenedVideo): string | undefined => kept?.id ?? stored.get(sha256)?.id;
  const idByDocumentId = videos.flatMap((video) => {
    const id = idOf(video);
    return id === undefined ? [] : [[video.documentId, id] as const];
  });
  return {
    contents: withAddresses(contents, new Map(idByDocumentId)),
    async keep(tx) {
      for (const { id, video } of stored.values())
        await transfer.keep(tx, { id, sha256: toBase64Url(video.sha256), actorId, video: video.arrived });
      const covered = new Set<string>();
      for (const video of videos) {
        const id = idOf(video);
        if (id === undefined || video.cover === null || !video.hasNewCover || covered.has(id)) continue;
        covered.add(id);
        await transfer.setCover(tx, { id, picture: video.cover, actorId });
      }
    },
    abandon,
  };
}
