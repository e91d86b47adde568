/** Reads the videos of a pack. Their files are in `media`, and too large to be read with the others. */
import { explain, type Explanation, MAX_VIDEO_COVER_BYTES, mediaAddress } from '@parley/domain';
import { stableId } from '../stable-id.ts';
import { VideoFile } from './pack-files.ts';
import { isMediaFile, isPhoto } from './pack-layout.ts';
import type { PackReader } from './pack-reader.ts';

/** Metadata of a video's file in `media`. */
export interface PackMedia {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** The file of a video, if the pack includes it. */
export interface PackVideo extends PackMedia {
  /** Its path in the pack. */
  file: string;
  /** The name that it had on the computer of the person who uploaded it. */
  fileName: string;
  /** Null when the pack has no picture for it. */
  cover: Uint8Array | null;
}

export function readVideos(
  reader: PackReader,
  media: ReadonlyMap<string, PackMedia>,
): { videoIds: ReadonlyMap<string, string>; videoById: ReadonlyMap<string, PackVideo> } {
  const { keysIn, parse, report, add } = reader;
  const videoIds = new Map<string, string>();
  const videoById = new Map<string, PackVideo>();
  for (const key of keysIn('videos')) {
    const file = `videos/${key}.yaml`;
    const parsed = parse(file, VideoFile);
    if (parsed === null) continue;
    const { id = stableId('video', key), file: fileUrl, fileName, sha256, cover, ...video } = parsed.value;
    const { availability = 'ready' } = video;
    videoIds.set(key, id);
    const brought = isMediaFile(fileUrl) ? media.get(fileUrl) : undefined;
    if (isMediaFile(fileUrl) && brought === undefined)
      report(file, explain('file.missing', { file: fileUrl }), parsed.lineOf(['file']));
    if (brought !== undefined && sha256 !== undefined && sha256 !== brought.sha256)
      report(file, explain('film.other_file', { file: fileUrl }), parsed.lineOf(['sha256']));
    const picture =
      cover === undefined
        ? null
        : videoCover(reader, cover, (explanation) => report(file, explanation, parsed.lineOf(['cover'])));
    if (brought === undefined) {
      // A file that is missing has been reported, so its address must not be reported too.
      const address = isMediaFile(fileUrl) ? mediaAddress(stableId('media', fileUrl)) : fileUrl;
      add('video', id, { file, document: { ...video, fileUrl: address, availability } });
      continue;
    }
    const name = fileName ?? fileUrl.slice('media/'.length);
    videoById.set(id, { ...brought, file: fileUrl, fileName: name, cover: picture });
    const address = mediaAddress(stableId('media', brought.sha256));
    add('video', id, { file, document: { ...video, fileUrl: address, availability } });
  }
  return { videoIds, videoById };
}

/** The cover of a video is a separate file on the server, and cannot be a drawing. */
function videoCover(
  { files }: PackReader,
  name: string,
  reportIt: (explanation: Explanation) => void,
): Uint8Array | null {
  const bytes = files.get(`covers/${name}`);
  if (bytes === undefined) reportIt(explain('file.missing', { file: `covers/${name}` }));
  else if (!isPhoto(bytes)) reportIt(explain('cover.wrong_type'));
  else if (bytes.byteLength > MAX_VIDEO_COVER_BYTES)
    reportIt(explain('cover.too_large', { limit: MAX_VIDEO_COVER_BYTES / 1_024 }));
  else return bytes;
  return null;
}
