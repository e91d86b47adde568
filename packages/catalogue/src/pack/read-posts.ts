/** Reads the posts of a pack and the pictures in their texts. */
import { explain, MAX_POST_PICTURE_BYTES, mediaAddress } from '@parley/domain';
import { pictureId, stableId } from '../stable-id.ts';
import { PostHead } from './pack-files.ts';
import { isPhoto, SHOWN_PICTURE } from './pack-layout.ts';
import type { PackReader } from './pack-reader.ts';

/** A picture in the text of a post. */
export interface PackPicture {
  file: string;
  bytes: Uint8Array;
}

export function readPictures({ files, report }: PackReader): PackPicture[] {
  const pictures: PackPicture[] = [];
  for (const [file, bytes] of files) {
    if (!file.startsWith('pictures/')) continue;
    if (!isPhoto(bytes)) report(file, explain('picture.none'));
    else if (bytes.byteLength > MAX_POST_PICTURE_BYTES)
      report(file, explain('picture.too_large', { limit: MAX_POST_PICTURE_BYTES / 1_024 }));
    else pictures.push({ file, bytes });
  }
  return pictures;
}

export function readPosts(reader: PackReader): void {
  const { keysIn, textOf, parse, report, add, picture } = reader;
  for (const key of keysIn('posts', 'md')) {
    const file = `posts/${key}.md`;
    const match = /^---\n([^]*?)\n---\n([^]*)$/.exec(textOf(file).replaceAll('\r\n', '\n'));
    if (match === null) {
      report(file, explain('file.post_head_missing'), 1);
      continue;
    }
    const parsed = parse(file, PostHead, `\n${match[1] ?? ''}`);
    if (parsed === null) continue;
    const {
      id = stableId('post', key),
      title,
      slug = key,
      excerpt,
      cover,
      tags,
      author,
      publishAt = null,
    } = parsed.value;
    const image = cover === undefined ? '' : picture(file, { folder: 'covers', named: cover, fallback: '' });
    add('post', id, {
      file,
      document: {
        title,
        slug,
        excerpt,
        content: withPictures(reader, file, (match[2] ?? '').replace(/^\n/, '')),
        cover: image,
        ...(tags !== undefined && { tags }),
        ...(author !== undefined && { author }),
        publishAt,
      },
    });
  }
}

/** The text with the addresses that its pictures have on every server. */
function withPictures({ files, report }: PackReader, from: string, markdown: string): string {
  /** A text may show one picture thousands of times. */
  const addressByFile = new Map<string, string>();
  return markdown.replaceAll(SHOWN_PICTURE, (file) => {
    const known = addressByFile.get(file);
    if (known !== undefined) return known;
    const bytes = files.get(file);
    if (bytes === undefined) report(from, explain('file.missing', { file }));
    const address = bytes === undefined ? file : mediaAddress(pictureId(bytes));
    addressByFile.set(file, address);
    return address;
  });
}
