/** Converts a practice to text and back, with coaches by name. */
import { type FileProblem, practiceFromText, practiceToText } from '@parley/catalogue/pack';
import type { PracticeDocument } from '@parley/domain';
import { isNull } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';

export type PracticeTexts = ReturnType<typeof createPracticeTexts>;

export function createPracticeTexts({ db }: { db: Database }) {
  const { agentId, name, deletedAt } = tables.aiAgentProfiles;
  const readCoaches = (): Promise<{ id: string; name: string }[]> =>
    db.select({ id: agentId, name }).from(tables.aiAgentProfiles).where(isNull(deletedAt));
  return {
    write: async (document: PracticeDocument): Promise<{ text: string }> => ({
      text: practiceToText(document, await readCoaches()),
    }),
    read: async (request: {
      id: string;
      document: PracticeDocument;
      text: string;
    }): Promise<{ document: PracticeDocument | null; problems: FileProblem[] }> =>
      practiceFromText(request.text, { id: request.id, before: request.document, coaches: await readCoaches() }),
  };
}
