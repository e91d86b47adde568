/** Writes documents as the files of a course pack. */
import { createHash } from 'node:crypto';
import type { AnyContent, ContentKind, DocumentOf } from '@parley/domain';
import { MEDIA_PATH, mediaIdOf, titleOf } from '@parley/domain';
import { stableId } from '../stable-id.ts';
import { imageFromAddress } from './images.ts';
import { PACK_FORMAT, PACK_VERSION } from './pack-files.ts';
import { toYaml } from './parse-yaml.ts';
import { practiceToFile } from './practice-file.ts';

const MAX_NAME = 60;
/** Where the text of a post shows a file of the server. */
const SHOWN_MEDIA = new RegExp(String.raw`(?<=\]\(|src=")${MEDIA_PATH}/[0-9a-f-]{36}(?![\w/-])`, 'g');

/** The file of a video, as the server keeps it. */
export interface StoredVideo {
  extension: 'mp4' | 'webm';
  fileName: string;
  /** Hexadecimal. */
  sha256: string;
  /** Null when it has none. */
  cover: { extension: string; bytes: Uint8Array } | null;
}

/** A picture in the text of a post. */
export interface StoredPicture {
  extension: string;
  bytes: Uint8Array;
}

export interface WrittenPack {
  files: Map<string, Uint8Array>;
  /** The path in the pack of each video's file, by its id on the server. */
  mediaPathById: Map<string, string>;
}

/** `videoById` and `pictureById` contain the files to include, by their id on the server. Others keep their address. */
export function writePack(
  contents: readonly AnyContent[],
  videoById: ReadonlyMap<string, StoredVideo> = new Map(),
  pictureById: ReadonlyMap<string, StoredPicture> = new Map(),
): WrittenPack {
  const files = new Map<string, Uint8Array>();
  const mediaPathById = new Map<string, string>();
  const put = (file: string, text: string): void => void files.set(file, new TextEncoder().encode(text));
  const keyById = nameFiles(contents);
  const keyOf = (id: string): string => keyById.get(id) ?? id;
  const idOf = (kind: ContentKind, id: string): { id?: string } => (stableId(kind, keyOf(id)) === id ? {} : { id });
  const picture = (folder: string, address: string): string | undefined => putImage(folder, imageFromAddress(address));
  function putImage(folder: string, image: { extension: string; bytes: Uint8Array } | null): string | undefined {
    if (image === null) return undefined;
    const name = `${createHash('sha256').update(image.bytes).digest('hex').slice(0, 16)}.${image.extension}`;
    files.set(`${folder}/${name}`, image.bytes);
    return name;
  }
  /** Two videos may have the same file, which is included once. */
  function mediaFields(fileUrl: string, key: string): object {
    const id = mediaIdOf(fileUrl);
    const stored = id === null ? undefined : videoById.get(id);
    if (id === null || stored === undefined) return { file: fileUrl };
    const path = mediaPathById.get(id) ?? `media/${key}.${stored.extension}`;
    mediaPathById.set(id, path);
    const cover = putImage('covers', stored.cover);
    return { file: path, fileName: stored.fileName, sha256: stored.sha256, ...(cover && { cover }) };
  }
  for (const [id, { extension, bytes }] of pictureById) files.set(`pictures/${id}.${extension}`, bytes);
  const withPictures = (markdown: string): string =>
    markdown.replaceAll(SHOWN_MEDIA, (address) => {
      const id = mediaIdOf(address) ?? '';
      const picture = pictureById.get(id);
      return picture === undefined ? address : `pictures/${id}.${picture.extension}`;
    });
  const ofKind = <Kind extends ContentKind>(kind: Kind): { id: string; document: DocumentOf<Kind> }[] =>
    contents.flatMap((content) =>
      content.kind === kind ? [{ id: content.id, document: content.document as DocumentOf<Kind> }] : [],
    );

  put('pack.yaml', toYaml({ format: PACK_FORMAT, version: PACK_VERSION }));
  const industries = ofKind('industry');
  if (industries.length > 0)
    put(
      'industries.yaml',
      toYaml(
        Object.fromEntries(
          industries.map(({ id, document: { name } }) => [
            keyOf(id),
            stableId('industry', keyOf(id)) === id ? name : { id, name },
          ]),
        ),
      ),
    );
  for (const { id, document } of ofKind('coach')) {
    const { avatar, ...coach } = document;
    const image = picture('avatars', avatar);
    put(`coaches/${keyOf(id)}.yaml`, toYaml({ ...idOf('coach', id), ...coach, ...(image && { avatar: image }) }));
  }
  for (const { id, document } of ofKind('practice')) {
    const cover = picture('covers', document.cover);
    const links = {
      ...idOf('practice', id),
      coach: document.agentId === null ? '' : keyOf(document.agentId),
      ...(cover && { cover }),
      objectiveId: (objective: string) => stableId('objective', keyOf(id), objective),
    };
    put(`practices/${keyOf(id)}.yaml`, toYaml(practiceToFile(document, links)));
  }
  for (const { id, document } of ofKind('video')) {
    const { fileUrl, transcript, availability, ...video } = document;
    put(
      `videos/${keyOf(id)}.yaml`,
      toYaml({
        ...idOf('video', id),
        ...video,
        ...mediaFields(fileUrl, keyOf(id)),
        ...(availability === 'ready' ? {} : { availability }),
        transcript,
      }),
    );
  }
  for (const { id, document } of ofKind('course'))
    put(`courses/${keyOf(id)}.yaml`, toYaml({ ...idOf('course', id), ...courseFile(document, keyOf(id), keyOf) }));
  for (const { id, document } of ofKind('post')) {
    const { content, cover, publishAt, slug, ...head } = document;
    const image = picture('covers', cover);
    const top = { ...idOf('post', id), ...head, ...(slug !== keyOf(id) && { slug }), ...(image && { cover: image }) };
    put(
      `posts/${keyOf(id)}.md`,
      `---\n${toYaml({ ...top, ...(publishAt !== null && { publishAt }) })}---\n\n${withPictures(content)}`,
    );
  }
  return { files, mediaPathById };
}

const courseFile = (course: DocumentOf<'course'>, key: string, keyOf: (id: string) => string): object => ({
  title: course.title,
  description: course.description,
  status: course.status,
  sections: course.sections.map(({ sectionId, title, description, items }, index) => ({
    ...(stableId('section', key, String(index + 1)) === sectionId ? {} : { id: sectionId }),
    title,
    description,
    ...(items.every(({ kind }) => kind === 'practice')
      ? { practices: items.map(({ itemId }) => keyOf(itemId)) }
      : { items: items.map(({ kind, itemId }) => ({ [kind]: keyOf(itemId) })) }),
  })),
});

/** Names each file after its title. If two of one kind have the same name, they are numbered. */
function nameFiles(contents: readonly AnyContent[]): Map<string, string> {
  const keyById = new Map<string, string>();
  const taken = new Set<string>();
  for (const content of contents) {
    const own = content.kind === 'post' && content.document.slug !== '' ? content.document.slug : titleOf(content);
    const base = toFileName(own) || content.kind;
    let key = base;
    for (let number = 2; taken.has(`${content.kind}/${key}`); number += 1) key = `${base}-${number}`;
    taken.add(`${content.kind}/${key}`);
    keyById.set(content.id, key);
  }
  return keyById;
}

export const toFileName = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replaceAll(/^-+|-+$/g, '');
