/** Builds rows and pushes as a device sends them. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { TestDevice, TestServer } from '../server.ts';

export interface CatalogueIds {
  practiceId: string;
  agentId: string;
  courseId: string;
}

/** Ids from the starter catalogue, as a device pulls it. */
export async function catalogueIds(device: TestDevice): Promise<CatalogueIds> {
  const rows = await device.pull();
  const first = (table: string, key: string): string =>
    z.uuid().parse(rows.find((row) => row.table === table)?.fields[key]);
  return {
    practiceId: first('practices', 'practiceId'),
    agentId: first('ai_agent_profiles', 'agentId'),
    courseId: first('courses', 'courseId'),
  };
}

/** The fields of a session, except those with a default value. */
export const sessionFields = (ids: CatalogueIds, userId: string, summary: string | null = null) => ({
  practiceId: ids.practiceId,
  userId,
  agentId: ids.agentId,
  completedObjectives: [],
  communicationStyle: 'audio',
  status: 'in_progress',
  difficulty: 'easy',
  summary,
});

export async function pushSession(server: TestServer, device: TestDevice, ids: CatalogueIds, summary = 'first') {
  const rowId = randomUUID();
  const change = device.change({
    table: 'practice_history',
    rowId,
    fields: sessionFields(ids, device.userId, summary),
    ms: server.now().getTime(),
  });
  const pushed = await device.push(change);
  return { rowId, change, pushed };
}

/** Pushes two rows of which the second refers to the first: an interaction and a turn. */
export async function pushTurn(server: TestServer, device: TestDevice) {
  const [interactionId, turnId] = [randomUUID(), randomUUID()];
  const common = { userId: device.userId, courseId: null };
  await device.push(
    device.change({
      table: 'user_course_interaction',
      rowId: interactionId,
      fields: {
        ...common,
        interactionType: 'practice',
        timestamp: server.now().toISOString(),
        details: { sessionId: null, practiceId: null, videoId: null, courseSectionId: null },
      },
    }),
    device.change({
      table: 'ai_conversations',
      rowId: turnId,
      fields: { ...common, interactionId, content: 'Good morning', role: 'learner' },
    }),
  );
  return { interactionId, turnId };
}

export const rowOf = async (device: TestDevice, rowId: string) =>
  (await device.pull()).find(({ fields }) => fields['id'] === rowId)?.fields;

export const setSummary = (device: TestDevice, rowId: string, summary: string, ms?: number) =>
  device.change({
    table: 'practice_history',
    rowId,
    fields: { summary },
    ...(ms === undefined ? {} : { ms }),
  });
