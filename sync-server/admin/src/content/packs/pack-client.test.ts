import { afterEach, expect, it, vi } from 'vitest';
import { errorSentence } from '../../foundation/api/error-sentence.ts';
import { previewPack } from './pack-client.ts';

afterEach(() => vi.unstubAllGlobals());

async function sentenceAfter(response: Response): Promise<string> {
  vi.stubGlobal('fetch', async () => response);
  return previewPack(new Blob(['a pack'])).then(
    () => 'none',
    (error: unknown) => errorSentence(error),
  );
}

it('says that the server can’t be reached when a network answers with its own page', async () => {
  const page = new Response('<!doctype html><title>Welcome to our hotel</title>');
  expect(await sentenceAfter(page)).toMatch(/^The server can’t be reached\./);
  expect(await sentenceAfter(Response.json({ network: 'hotel' }))).toMatch(/^The server can’t be reached\./);
});

it('says why the server refused a pack', async () => {
  expect(await sentenceAfter(new Response(null, { status: 507 }))).toMatch(/^There’s no space for this pack\./);
  expect(await sentenceAfter(new Response(null, { status: 422 }))).toMatch(/^The server couldn’t read this file\./);
});
