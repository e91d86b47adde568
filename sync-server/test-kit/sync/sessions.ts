/** Sessions with their turns, as two devices of a learner send and read them. */
import { Conversation, type Turn } from '@parley/domain';
import { pushSession } from './rows.ts';
import type { SyncFixture } from './sync-fixture.ts';
import { interactionChange, turnChange } from './turns.ts';
import type { TestDevice } from '../server.ts';

export interface SentSession {
  sessionId: string;
  interactionId: string;
}

/** Sends a session and the interaction that its turns refer to. */
export async function beginSession(
  { server, ids }: Pick<SyncFixture, 'server' | 'ids'>,
  device: TestDevice,
): Promise<SentSession> {
  const { rowId: sessionId } = await pushSession(server, device, ids);
  const interaction = interactionChange(server, device, sessionId);
  await device.push(interaction);
  return { sessionId, interactionId: interaction.rowId };
}

/** The changes that add turns one after another, each following the previous one. */
export const turnChanges = (device: TestDevice, turns: readonly Turn[], at: SentSession & { after?: string }) =>
  turns.map((turn, index) =>
    turnChange(device, turn, { ...at, previousTurnId: turns[index - 1]?.turnId ?? at.after ?? null }),
  );

/** Reads the conversation as an app of protocol 2 does. */
export async function conversationOf(device: TestDevice, sessionId: string): Promise<Conversation> {
  const row = (await device.pullV2()).find(({ fields }) => fields['id'] === sessionId);
  return Conversation.parse(row?.fields['entireConversation']);
}

export const turnRowsOf = async (device: TestDevice, sessionId: string) =>
  (await device.pull()).filter(
    ({ table, fields }) => table === 'ai_conversations' && fields['sessionId'] === sessionId,
  );

export const textsOf = (turns: Conversation): string[] => turns.map(({ text }) => text);
