/** Writes documents as the files of a course pack. */
import { createHash } from 'node:crypto';
import type { AnyContent, ContentKind, DocumentOf } from '@parley/domain';
import { titleOf } from '@parley/domain';
import { stableId } from '../stable-id.ts';
import { imageFromAddress } from './images.ts';
import { toYaml } from './parse-yaml.ts';
import { practiceToFile } from './practice-file.ts';

const MAX_NAME = 60;

export function writePack(contents: readonly AnyContent[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const put = (file: string, text: string): void => void files.set(file, new TextEncoder().encode(text));
  const keyById = nameFiles(contents);
  const keyOf = (id: string): string => keyById.get(id) ?? id;
  const idOf = (kind: ContentKind, id: string): { id?: string } => (stableId(kind, keyOf(id)) === id ? {} : { id });
  const picture = (folder: string, address: string): string | undefined => {
    const image = imageFromAddress(address);
    if (image === null) return undefined;
    const name = `${createHash('sha256').update(image.bytes).digest('hex').slice(0, 16)}.${image.extension}`;
    files.set(`${folder}/${name}`, image.bytes);
    return name;
  };
  const ofKind = <Kind extends ContentKind>(kind: Kind): { id: string; document: DocumentOf<Kind> }[] =>
    contents.flatMap((content) =>
      content.kind === kind ? [{ id: content.id, document: content.document as DocumentOf<Kind> }] : [],
    );

  put('pack.yaml', toYaml({ format: 'parley-course-pack', version: 1 }));
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
        file: fileUrl,
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
      `---\n${toYaml({ ...top, ...(publishAt !== null && { publishAt }) })}---\n\n${content}`,
    );
  }
  return files;
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

/** Names each file after its title. Two of one name and kind get numbers. */
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
