/** An admin who writes content, and documents to write. */
import { randomUUID } from 'node:crypto';
import type { ContentView, PackImport, PackPreview, PublishResult, SaveResult } from '@parley/contract';
import {
  CoachId,
  type ContentKind,
  type CourseDocument,
  emptyDocument,
  ObjectiveId,
  type PracticeDocument,
} from '@parley/domain';
import { eq } from 'drizzle-orm';
import { tables } from '../../src/db/tables.ts';
import { confirmDevice, registerDevice, type JsonResponse, type TestDevice, type TestServer } from '../server.ts';

/** A pack that was uploaded in pieces. */
export interface UploadedPack {
  upload: string;
}

export interface ContentAdmin {
  device: TestDevice;
  call: <Result>(name: string, input: object) => Promise<Result>;
  /** Returns the raw response, for tests of refusals. */
  tryCall: (name: string, input: unknown) => Promise<JsonResponse>;
  create: (kind: ContentKind, document: object, id?: string) => Promise<ContentView>;
  publish: (...contents: Pick<ContentView, 'kind' | 'id' | 'revision'>[]) => Promise<PublishResult>;
  save: (content: Pick<ContentView, 'kind' | 'id' | 'revision'>, document: object) => Promise<SaveResult>;
  read: (kind: ContentKind, id: string) => Promise<ContentView>;
  previewPack: (pack: Uint8Array | UploadedPack) => Promise<PackPreview>;
  importPack: (pack: Uint8Array | UploadedPack, options?: { publish: boolean; seen?: string }) => Promise<PackImport>;
  exportPack: (query?: string) => Promise<Uint8Array>;
}

export async function openContentAdmin(server: TestServer): Promise<ContentAdmin> {
  const device = await registerDevice(server);
  await server.database.db
    .update(tables.users)
    .set({ isAdmin: true, firstName: 'Ines', lastName: 'Duarte' })
    .where(eq(tables.users.userId, device.userId as never));
  await confirmDevice(server, device);
  const tryCall: ContentAdmin['tryCall'] = (name, input) =>
    server.post(`/v1/admin/content/${name}`, input, device.token);
  const call: ContentAdmin['call'] = async <Result>(name: string, input: object) => {
    const { status, body } = await tryCall(name, input);
    if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    return body as Result;
  };
  const reference = ({ kind, id, revision }: Pick<ContentView, 'kind' | 'id' | 'revision'>) => ({ kind, id, revision });
  const sendPack = async <Result>(
    path: string,
    pack: Uint8Array | UploadedPack,
    query: Record<string, string> = {},
  ): Promise<Result> => {
    const isUploaded = 'upload' in pack;
    const { statusCode, payload } = await server.app.inject({
      method: 'POST',
      url: `/v1/admin/packs/${path}`,
      query: isUploaded ? { ...query, upload: pack.upload } : query,
      headers: {
        authorization: `Bearer ${device.token}`,
        ...(isUploaded ? {} : { 'content-type': 'application/zip' }),
      },
      ...(isUploaded ? {} : { payload: Buffer.from(pack) }),
    });
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${payload}`);
    return JSON.parse(payload) as Result;
  };
  return {
    device,
    call,
    tryCall,
    create: (kind, document, id = randomUUID()) => call('create', { kind, id, document }),
    publish: (...contents) => call('publish', { contents: contents.map(reference) }),
    save: (content, document) => call('save', { ...reference(content), document }),
    read: (kind, id) => call('read', { kind, id }),
    previewPack: (pack) => sendPack('preview', pack),
    importPack: (pack, { publish, ...seen } = { publish: false }) =>
      sendPack('import', pack, { publish: String(publish), ...seen }),
    exportPack: async (query = '') => {
      const { statusCode, rawPayload } = await server.app.inject({
        method: 'GET',
        url: `/v1/admin/packs/export${query}`,
        headers: { authorization: `Bearer ${device.token}` },
      });
      if (statusCode !== 200) throw new Error(`export: ${statusCode}`);
      return rawPayload;
    },
  };
}

const PICTURE = "data:image/svg+xml;utf8,%3Csvg xmlns='http%3A//www.w3.org/2000/svg'%3E%3C/svg%3E";
const sameNext = (key: string) => ({ easy: key, intermediate: key, hard: key });
const sameLine = (line: string) => ({ easy: line, intermediate: line, hard: line });

export const aCoachDocument = (name = 'Nadia') => ({
  ...emptyDocument('coach'),
  name,
  skills: ['Listening'],
  communicationStyle: 'Calm.',
  characterTraits: ['patient'],
  manner: {
    acknowledge: ['I see.', 'All right.'],
    praise: ['Well said.', 'Good.'],
    reassure: ['No hurry.', 'Take your time.'],
    goodbye: ['Goodbye.', 'See you.'],
  },
  avatar: PICTURE,
});

/** A practice of two steps that can be published. */
export function aPracticeDocument(agentId: string, changes: Partial<PracticeDocument> = {}): PracticeDocument {
  const end = { isEnd: true, rephrase: [], replies: [], learns: null, onKnown: null, understanding: null };
  return {
    ...emptyDocument('practice'),
    title: 'Ask for a day off',
    category: 'Teamwork',
    agentId: CoachId.parse(agentId),
    summary: 'Ask your manager for a day off.',
    description: 'You need a day off next week.',
    scenario: 'Your manager is busy.',
    role: 'You work in a small team.',
    words: [{ word: 'leave', meaning: 'time away from work' }],
    objectives: [
      { objectiveId: ObjectiveId.parse(randomUUID()), key: 'ask', description: 'Ask politely', needs: null },
    ],
    cover: PICTURE,
    script: {
      start: 'opening',
      topic: [],
      facts: [],
      nodes: [
        {
          ...end,
          isEnd: false,
          key: 'opening',
          say: sameLine('Yes? What is it?'),
          rephrase: ['What do you need?'],
          replies: [
            { to: sameNext('yes'), hint: 'day off', ...sameLine('[Could I have Friday off?](ask)') },
            { to: sameNext('no'), hint: 'nothing', ...sameLine('Nothing, sorry.') },
          ],
        },
        { ...end, key: 'yes', say: sameLine('Of course. Enjoy your day.') },
        { ...end, key: 'no', say: sameLine('Come back later, then.') },
      ],
    },
    ...changes,
  };
}

export const aCourseDocument = (
  items: CourseDocument['sections'][number]['items'],
  changes: Partial<CourseDocument> = {},
): CourseDocument => ({
  title: 'Life in the office',
  description: 'Talk to your manager.',
  status: 'available',
  sections: [{ sectionId: randomUUID(), title: 'First words', description: 'Begin here.', items }],
  ...changes,
});
