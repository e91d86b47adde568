import { describe, expect, it, vi } from 'vitest';
import { writeDraft } from './write-draft.ts';

const REQUEST = { situation: 'A guest has lost a key.', level: 'intermediate' as const, agentId: null };
type ContentClient = Parameters<typeof writeDraft>[0];

/** A server whose model has not answered yet. */
function startDraft() {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const draftPractice = vi.fn(() => promise);
  const create = vi.fn(async () => ({}));
  const onDrafted = vi.fn();
  const abort = new AbortController();
  const draft = writeDraft({ draftPractice, create } as unknown as ContentClient, REQUEST, {
    signal: abort.signal,
    onDrafted,
  });
  return { draft, draftPractice, create, onDrafted, abort, answer: () => resolve({ status: 'drafted', document: {} }) };
}

describe('a practice that the model drafts', () => {
  it('is created and opened', async () => {
    const { draft, create, onDrafted, answer } = startDraft();
    answer();
    await draft;
    expect(create).toHaveBeenCalledTimes(1);
    expect(onDrafted).toHaveBeenCalledTimes(1);
  });

  it('is neither created nor opened once it was cancelled', async () => {
    const { draft, draftPractice, create, onDrafted, abort, answer } = startDraft();
    expect(draftPractice).toHaveBeenCalledWith(REQUEST, { signal: abort.signal });
    abort.abort();
    answer();
    await expect(draft).rejects.toThrow('abort');
    expect(create).not.toHaveBeenCalled();
    expect(onDrafted).not.toHaveBeenCalled();
  });
});
