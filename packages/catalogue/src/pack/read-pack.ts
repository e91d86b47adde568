/** Reads the files of a course pack into documents. Every problem has its file and line. */
import {
  type AnyContent,
  contentDocuments,
  type ContentKind,
  type CourseItem,
  explain,
  explainIssue,
  type Explanation,
  MAX_POST_PICTURE_BYTES,
  MAX_VIDEO_COVER_BYTES,
  mediaAddress,
} from '@parley/domain';
import { z } from 'zod';
import { pictureId, stableId } from '../stable-id.ts';
import { IMAGE_EXTENSIONS, imageToAddress, imageTypeOf } from './images.ts';
import { CoachFile, CourseFile, IndustriesFile, PackInfo, PostHead, VideoFile } from './pack-files.ts';
import { type FileProblem, parseYaml } from './parse-yaml.ts';
import { IntentsFile, PracticeFile, practiceFromFile, withIntents } from './practice-file.ts';

/** Contents by path, such as `courses/with-clients.yaml`. Videos are too large for it. */
export type PackFiles = ReadonlyMap<string, Uint8Array>;

/** What is known about the file of a video in `media`. */
export interface PackMedia {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** The file that a video of the pack brings along. */
export interface PackVideo extends PackMedia {
  /** Its path in the pack. */
  file: string;
  /** The name that it had on the computer of the person who uploaded it. */
  fileName: string;
  /** Null when the pack has no picture for it. */
  cover: Uint8Array | null;
}

/** A picture in the text of a post. */
export interface PackPicture {
  file: string;
  bytes: Uint8Array;
}

export interface PackProblem extends FileProblem {
  file: string;
}

export interface ReadPack {
  contents: AnyContent[];
  problems: PackProblem[];
  /** The file in which each document is, by id. */
  fileById: ReadonlyMap<string, string>;
  /** The files of videos, by the id of their document, whose address is made of the file's content. */
  videoById: ReadonlyMap<string, PackVideo>;
  pictures: readonly PackPicture[];
}

const MEDIA = /media\/[a-z0-9-]{1,100}\.(?:mp4|webm)/;
const PICTURE = /pictures\/[a-z0-9-]{1,100}\.(?:png|jpe?g|webp)/;
/** Where the text of a post shows one. */
const SHOWN_PICTURE = new RegExp(`(?<=\\]\\(|src=")${PICTURE.source}`, 'g');
const FILE = new RegExp(
  `^(pack\\.yaml|README\\.md|industries\\.yaml|shared-acts\\.yaml|(coaches|practices|scenes|intents|courses|videos)/[a-z0-9-]{1,100}\\.yaml|posts/[a-z0-9-]{1,100}\\.md|(avatars|covers)/[a-z0-9-]{1,100}\\.(${IMAGE_EXTENSIONS.join('|')})|${MEDIA.source}|${PICTURE.source})$`,
);

/** Whether a file may be part of a pack. Its path can then lead nowhere else. */
export const isPackFile = (path: string): boolean => FILE.test(path);

/** Whether a file of a pack is a video, which is never read into memory. */
export const isMediaFile = (path: string): boolean => path.startsWith('media/');

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** What a server keeps as a file of its own. */
const PHOTO_TYPES: ReadonlySet<string | null> = new Set(['image/png', 'image/jpeg', 'image/webp']);

export function readPack(files: PackFiles, media: ReadonlyMap<string, PackMedia> = new Map()): ReadPack {
  const problems: PackProblem[] = [];
  const contents: AnyContent[] = [];
  const fileById = new Map<string, string>();
  const videoById = new Map<string, PackVideo>();
  const report = (file: string, explanation: Explanation, line: number | null = null): void =>
    void problems.push({ file, line, ...explanation });
  const textOf = (file: string): string => new TextDecoder().decode(files.get(file));
  const keysIn = (folder: string, extension = 'yaml'): string[] =>
    [...files.keys()]
      .filter((file) => file.startsWith(`${folder}/`) && file.endsWith(`.${extension}`))
      .map((file) => file.slice(folder.length + 1, -extension.length - 1))
      .toSorted();
  const parse = <Schema extends z.ZodType>(file: string, schema: Schema, text = textOf(file)) => {
    const parsed = parseYaml(text, schema);
    if (parsed.ok) return parsed;
    for (const problem of parsed.problems) problems.push({ file, ...problem });
    return null;
  };
  function add(kind: ContentKind, id: string, at: { file: string; document: unknown }): void {
    const parsed = contentDocuments[kind].safeParse(at.document);
    if (!parsed.success) {
      for (const issue of parsed.error.issues.slice(0, 20)) report(at.file, explainIssue(issue));
      return;
    }
    if (fileById.has(id)) return report(at.file, explain('file.same_id', { file: fileById.get(id) ?? '' }));
    fileById.set(id, at.file);
    contents.push({ kind, id, document: parsed.data } as AnyContent);
  }
  function picture(
    from: string,
    { folder, named, fallback }: { folder: string; named: string | undefined; fallback: string },
  ) {
    const name =
      named ??
      IMAGE_EXTENSIONS.map((extension) => `${fallback}.${extension}`).find((each) => files.has(`${folder}/${each}`));
    const bytes = name === undefined ? undefined : files.get(`${folder}/${name}`);
    if (bytes === undefined) {
      if (named !== undefined) report(from, explain('file.missing', { file: `${folder}/${named}` }));
      return '';
    }
    const address = imageToAddress(name ?? '', bytes);
    if (address.ok) return address.value;
    report(`${folder}/${name ?? ''}`, address.error);
    return '';
  }

  /** The picture of a video is a file of its own on the server, and not a drawing. */
  function videoCover(name: string, reportIt: (explanation: Explanation) => void): Uint8Array | null {
    const bytes = files.get(`covers/${name}`);
    if (bytes === undefined) reportIt(explain('file.missing', { file: `covers/${name}` }));
    else if (!PHOTO_TYPES.has(imageTypeOf(bytes))) reportIt(explain('cover.wrong_type'));
    else if (bytes.byteLength > MAX_VIDEO_COVER_BYTES)
      reportIt(explain('cover.too_large', { limit: MAX_VIDEO_COVER_BYTES / 1_024 }));
    else return bytes;
    return null;
  }

  const pictures: PackPicture[] = [];
  for (const [file, bytes] of files) {
    if (!file.startsWith('pictures/')) continue;
    if (!PHOTO_TYPES.has(imageTypeOf(bytes))) report(file, explain('picture.none'));
    else if (bytes.byteLength > MAX_POST_PICTURE_BYTES)
      report(file, explain('picture.too_large', { limit: MAX_POST_PICTURE_BYTES / 1_024 }));
    else pictures.push({ file, bytes });
  }

  /** The text with the addresses that its pictures have on every server. */
  const withPictures = (from: string, markdown: string): string =>
    markdown.replaceAll(SHOWN_PICTURE, (file) => {
      const bytes = files.get(file);
      if (bytes === undefined) report(from, explain('file.missing', { file }));
      return bytes === undefined ? file : mediaAddress(pictureId(bytes));
    });

  /** A practice may be in two files: the scene, and what a learner may mean in each step. */
  function addIntents(scene: PracticeFile, key: string): PracticeFile {
    const file = `intents/${key}.yaml`;
    if (!files.has(file)) return scene;
    const parsed = parse(file, IntentsFile);
    if (parsed === null) return scene;
    for (const node of Object.keys(parsed.value.nodes))
      if (scene.nodes?.[node] === undefined)
        report(file, explain('reference.step_unknown', { name: node }), parsed.lineOf(['nodes', node]));
    return withIntents(scene, parsed.value);
  }

  for (const file of files.keys()) if (!isPackFile(file)) report(file, explain('file.foreign'));
  if (files.has('pack.yaml')) parse('pack.yaml', PackInfo);

  if (files.has('industries.yaml')) {
    const industries = parse('industries.yaml', IndustriesFile);
    for (const [key, industry] of Object.entries(industries?.value ?? {})) {
      const { id, name } = typeof industry === 'string' ? { id: stableId('industry', key), name: industry } : industry;
      add('industry', id, { file: 'industries.yaml', document: { name } });
    }
  }

  const coachIds = new Map<string, string>();
  for (const key of keysIn('coaches')) {
    const file = `coaches/${key}.yaml`;
    const parsed = parse(file, CoachFile);
    if (parsed === null) continue;
    const { id = stableId('coach', key), avatar, ...coach } = parsed.value;
    coachIds.set(key, id);
    const image = picture(file, { folder: 'avatars', named: avatar, fallback: key });
    add('coach', id, { file, document: { ...coach, avatar: image } });
  }

  const practiceIds = new Map<string, string>();
  const scenes = new Set(keysIn('scenes'));
  for (const key of new Set([...keysIn('practices'), ...scenes])) {
    const file = scenes.has(key) ? `scenes/${key}.yaml` : `practices/${key}.yaml`;
    const parsed = parse(file, PracticeFile);
    if (parsed === null) continue;
    const { lineOf } = parsed;
    const value = scenes.has(key) ? addIntents(parsed.value, key) : parsed.value;
    const { id = stableId('practice', key) } = value;
    practiceIds.set(key, id);
    const document = practiceFromFile(value, {
      coachId: (coach) => {
        const found = coachIds.get(coach) ?? (UUID.test(coach) ? coach : null);
        if (found === null) report(file, explain('reference.coach_unknown', { name: coach }), lineOf(['coach']));
        return found;
      },
      objectiveId: (objective) => stableId('objective', key, objective),
      cover: picture(file, {
        folder: 'covers',
        named: value.cover,
        fallback: value.category.toLowerCase().replaceAll(' ', '-'),
      }),
    });
    add('practice', id, { file, document });
  }

  const videoIds = new Map<string, string>();
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
        : videoCover(cover, (explanation) => report(file, explanation, parsed.lineOf(['cover'])));
    if (brought === undefined) {
      add('video', id, { file, document: { ...video, fileUrl, availability } });
      continue;
    }
    const name = fileName ?? fileUrl.slice('media/'.length);
    videoById.set(id, { ...brought, file: fileUrl, fileName: name, cover: picture });
    const address = mediaAddress(stableId('media', brought.sha256));
    add('video', id, { file, document: { ...video, fileUrl: address, availability } });
  }

  for (const key of keysIn('courses')) {
    const file = `courses/${key}.yaml`;
    const parsed = parse(file, CourseFile);
    if (parsed === null) continue;
    const { value, lineOf } = parsed;
    const resolve = (kind: CourseItem['kind'], reference: string, path: PropertyKey[]): CourseItem[] => {
      const ids = kind === 'practice' ? practiceIds : videoIds;
      const itemId = ids.get(reference) ?? (UUID.test(reference) ? reference : undefined);
      if (itemId === undefined) report(file, explain(`reference.${kind}_unknown`, { name: reference }), lineOf(path));
      return itemId === undefined ? [] : [{ kind, itemId }];
    };
    const { id = stableId('course', key), title, description, status, sections } = value;
    add('course', id, {
      file,
      document: {
        title,
        description,
        status,
        sections: sections.map((section, index) => ({
          sectionId: section.id ?? stableId('section', key, String(index + 1)),
          title: section.title,
          description: section.description,
          items: [
            ...(section.practices ?? []).flatMap((practice, at) =>
              resolve('practice', practice, ['sections', index, 'practices', at]),
            ),
            ...(section.items ?? []).flatMap((item, at) =>
              'practice' in item
                ? resolve('practice', item.practice, ['sections', index, 'items', at])
                : resolve('video', item.video, ['sections', index, 'items', at]),
            ),
          ],
        })),
      },
    });
  }

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
        content: withPictures(file, (match[2] ?? '').replace(/^\n/, '')),
        cover: image,
        ...(tags !== undefined && { tags }),
        ...(author !== undefined && { author }),
        publishAt,
      },
    });
  }
  return { contents, problems, fileById, videoById, pictures };
}
