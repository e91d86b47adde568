/** Finds what keeps a document from being published, and what could be better, each with its place. */
import {
  type AnyContent,
  type ContentFinding,
  Dialogue,
  type DocumentOf,
  entities,
  type EntityKey,
  isWebVtt,
  mediaIdOf,
  parseWebVtt,
  partialRowSchema,
  PostTag,
} from '@parley/domain';
import { coachRow, courseRow, postRow, videoRow } from './document-rows.ts';
import { scriptToDialogue } from './script.ts';
import { findScriptFindings } from './script-findings.ts';

type Path = (string | number)[];
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MIN_PHRASES = 2;

const error = (path: Path, message: string): ContentFinding => ({ severity: 'error', path, node: null, message });
const advice = (path: Path, message: string): ContentFinding => ({ severity: 'advice', path, node: null, message });

/** Looks at the document alone. Whether what it refers to is published is for the server to check. */
export function findDocumentFindings(content: AnyContent): ContentFinding[] {
  switch (content.kind) {
    case 'industry':
      return [...required(content.document, { name: 'The industry needs a name.' }), ...unstorable(content.document)];
    case 'coach':
      return [
        ...coachFindings(content.document),
        ...boundsOf('aiAgentProfiles', coachRow(content.id, content.document)),
      ];
    case 'video':
      return [...videoFindings(content.document), ...boundsOf('videos', videoRow(content.id, content.document))];
    case 'practice':
      return [...practiceFindings(content.document), ...unstorable(content.document)];
    case 'course':
      return [...courseFindings(content.document), ...boundsOf('courses', courseRow(content.id, content.document))];
    case 'post':
      return [
        ...postFindings(content.document),
        ...boundsOf('blogPosts', postRow(content.id, content.document, new Date(0))),
      ];
    default:
      return content satisfies never;
  }
}

function required<Document extends object>(
  document: Document,
  messages: { [Field in keyof Document]?: string },
): ContentFinding[] {
  return Object.entries(messages).flatMap(([field, message]) => {
    const value = document[field as keyof Document];
    return typeof value === 'string' && value.trim() === '' ? [error([field], String(message))] : [];
  });
}

function coachFindings(coach: DocumentOf<'coach'>): ContentFinding[] {
  return [
    ...required(coach, {
      name: 'The coach needs a name.',
      communicationStyle: 'Say how the coach talks, so that a learner can choose.',
      avatar: 'The coach needs a picture.',
    }),
    ...(coach.skills.length === 0 ? [error(['skills'], 'Name at least one skill.')] : []),
    ...(coach.characterTraits.length === 0 ? [error(['characterTraits'], 'Name at least one trait.')] : []),
    ...Object.entries(coach.manner).flatMap(([name, phrases]) =>
      phrases.filter((phrase) => phrase.trim() !== '').length < MIN_PHRASES ||
      phrases.some((each) => each.trim() === '')
        ? [error(['manner', name], 'Write at least two phrases here, so that the coach does not repeat itself.')]
        : [],
    ),
  ];
}

function videoFindings(video: DocumentOf<'video'>): ContentFinding[] {
  return [
    ...required(video, { title: 'The video needs a title.', fileUrl: 'Upload the video first.' }),
    ...(video.transcript.trim() === ''
      ? [advice(['transcript'], 'Without a transcript, learners who cannot hear the video cannot follow it.')]
      : transcriptFindings(video.transcript)),
    ...addressFindings(video.fileUrl),
  ];
}

function addressFindings(fileUrl: string): ContentFinding[] {
  if (fileUrl === '' || mediaIdOf(fileUrl) !== null) return [];
  return URL.parse(fileUrl)?.protocol === 'https:'
    ? [advice(['fileUrl'], 'Learners’ apps play only videos that were uploaded to this server. Upload this one.')]
    : [error(['fileUrl'], 'The address must begin with https:// or be an upload of this server.')];
}

const MAX_TRANSCRIPT_PROBLEMS = 10;

function transcriptFindings(transcript: string): ContentFinding[] {
  if (isWebVtt(transcript))
    return parseWebVtt(transcript)
      .problems.slice(0, MAX_TRANSCRIPT_PROBLEMS)
      .map(({ line, message }) => error(['transcript'], `Line ${line} of the transcript: ${message}`));
  return transcript.includes(' --> ')
    ? [advice(['transcript'], 'The transcript has times. Begin it with a line “WEBVTT”, so that they are used.')]
    : [];
}

function courseFindings(course: DocumentOf<'course'>): ContentFinding[] {
  const places = new Map<string, number>();
  for (const { sectionId } of course.sections) places.set(sectionId, (places.get(sectionId) ?? 0) + 1);
  return [
    ...required(course, { title: 'The course needs a title.', description: 'Say what learners will be able to do.' }),
    ...(course.sections.length === 0 ? [error(['sections'], 'A course needs at least one section.')] : []),
    ...course.sections.flatMap(({ sectionId, title, items }, index) => [
      ...(title.trim() === '' ? [error(['sections', index, 'title'], `Section ${index + 1} needs a title.`)] : []),
      ...((places.get(sectionId) ?? 0) > 1 ? [error(['sections', index], `Section ${index + 1} is there twice.`)] : []),
      ...(items.length === 0
        ? [advice(['sections', index, 'items'], `Section ${index + 1} has no practices or videos yet.`)]
        : []),
      ...items.flatMap(({ kind, itemId }, at) =>
        items.findIndex((other) => other.kind === kind && other.itemId === itemId) === at
          ? []
          : [error(['sections', index, 'items', at], `Section ${index + 1} has the same ${kind} twice.`)],
      ),
    ]),
  ];
}

function postFindings(post: DocumentOf<'post'>): ContentFinding[] {
  return [
    ...required(post, {
      title: 'The post needs a title.',
      content: 'The post is empty.',
      excerpt: 'Write a sentence or two for the list of posts.',
    }),
    ...(SLUG.test(post.slug)
      ? []
      : [error(['slug'], 'The address may have small letters, digits and single hyphens, such as “our-new-course”.')]),
    ...(post.tags ?? [])
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '' && !PostTag.safeParse(tag).success)
      .map((tag) => error(['tags'], `A tag is a word or two, such as “phone calls”. “${tag}” has other characters.`)),
  ];
}

function practiceFindings(practice: DocumentOf<'practice'>): ContentFinding[] {
  const { objectives, script } = practice;
  return [
    ...required(practice, {
      title: 'The practice needs a title.',
      category: 'Choose a category.',
      summary: 'Write one sentence for the card of the practice.',
      description: 'Say what the learner has to do.',
      scenario: 'Describe the situation.',
      role: 'Say who the learner is in the scene.',
    }),
    ...(practice.agentId === null ? [error(['agentId'], 'Choose the coach who plays this scene.')] : []),
    ...(objectives.length === 0 ? [error(['objectives'], 'A practice needs at least one objective.')] : []),
    ...objectives.flatMap(({ key, description, needs, objectiveId }, index) => [
      ...(SLUG.test(key)
        ? []
        : [
            error(['objectives', index, 'key'], `“${key}” is not a valid name: use small letters, digits and hyphens.`),
          ]),
      ...(description.trim() === '' ? [error(['objectives', index, 'description'], 'Describe this objective.')] : []),
      ...(objectives.findIndex((other) => other.key === key || other.objectiveId === objectiveId) === index
        ? []
        : [error(['objectives', index, 'key'], `Two objectives are called “${key}”.`)]),
      ...(needs === null || isPattern(needs)
        ? []
        : [error(['objectives', index, 'needs'], 'This is not a valid regular expression.')]),
    ]),
    ...practice.words.flatMap(({ word, meaning }, index) =>
      word.trim() === '' || meaning.trim() === ''
        ? [error(['words', index], 'A useful word needs both the word and its meaning.')]
        : [],
    ),
    ...(script === null
      ? [advice(['script'], 'Without a dialogue, this practice works only with a language model.')]
      : scriptFindings(practice, script)),
  ];
}

function scriptFindings(
  { objectives }: DocumentOf<'practice'>,
  script: NonNullable<DocumentOf<'practice'>['script']>,
): ContentFinding[] {
  const found = findScriptFindings(
    script,
    objectives.map(({ key }) => key),
  );
  if (found.some(({ severity }) => severity === 'error')) return found;
  // The dialogue's own schema has the last word, so that a device never receives one that it cannot parse.
  const parsed = Dialogue.safeParse(scriptToDialogue(script, objectives));
  return parsed.success
    ? found
    : [
        ...found,
        ...parsed.error.issues.map(({ message, path }) => ({ ...error(['script', ...pathOf(path)], message) })),
      ];
}

const pathOf = (path: readonly PropertyKey[]): Path =>
  path.map((step) => (typeof step === 'number' ? step : String(step)));

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'iu') instanceof RegExp;
  } catch {
    return false;
  }
}

/** NUL and halves of surrogate pairs, which JSON can carry but a database's text cannot hold. */
const unstorable = (document: unknown): ContentFinding[] =>
  /\\u(0000|d[89a-f][0-9a-f]{2})/.test(JSON.stringify(document))
    ? [error([], 'The text contains characters that cannot be stored.')]
    : [];

/** What the columns of a row allow. */
function boundsOf(key: EntityKey, row: object): ContentFinding[] {
  const parsed = partialRowSchema(entities[key]).safeParse(row);
  return [
    ...unstorable(row),
    ...(parsed.success ? [] : parsed.error.issues.map(({ message, path }) => error(pathOf(path), message))),
  ];
}
