/** Has the server write a practice, and keeps it as a draft unless it was cancelled in the meantime. */
import type { ContractRouterClient } from '@orpc/contract';
import type { serverContract } from '@parley/contract';

type ContentClient = Pick<ContractRouterClient<(typeof serverContract)['content']>, 'draftPractice' | 'create'>;
type DraftRequest = Parameters<ContentClient['draftPractice']>[0];
type DraftResult = Awaited<ReturnType<ContentClient['draftPractice']>>;

export async function writeDraft(
  content: ContentClient,
  request: DraftRequest,
  { signal, onDrafted }: { signal: AbortSignal; onDrafted: (id: string) => void },
): Promise<DraftResult> {
  const result = await content.draftPractice(request, { signal });
  signal.throwIfAborted();
  if (result.status !== 'drafted') return result;
  const id = crypto.randomUUID();
  await content.create({ kind: 'practice', id, document: result.document }, { signal });
  signal.throwIfAborted();
  onDrafted(id);
  return result;
}
