import type { SpeechPackState } from '@parley/contract';
import { describePack } from '@parley/speech-pack';
import { makeTinyPack } from '@parley/test-kit';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aScriptedScorer, type OpenHost, openHost, recordTurn, startPractice } from '../test-kit/open-host.ts';
import { leaveFreeBytes } from '../test-kit/small-disk.ts';

const PATH = '/speech/';
const DECODER = 'onnx/decoder_model_merged.onnx';

let folder: string;
let server: Server;
let address: string;
/** The requested files, with their ranges. */
let requests: string[];
/** Responds instead of sending the file; returns false to send the file. */
let answer: (path: string, response: ServerResponse, request: IncomingMessage) => boolean;
let device: OpenHost;

function sendFile(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').slice(PATH.length);
  const { range } = request.headers;
  requests.push(range === undefined ? path : `${path} ${range}`);
  if (answer(path, response, request)) return;
  const file = join(folder, path);
  if (!existsSync(file)) return void response.writeHead(404).end();
  const content = readFileSync(file);
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.byteLength - from });
  response.end(content.subarray(from));
}

beforeEach(async () => {
  folder = await makeTinyPack();
  requests = [];
  answer = () => false;
  server = createServer(sendFile).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  device = await openHost({ scorer: aScriptedScorer({ best: () => null }) });
});
afterEach(async () => {
  await device.host.close();
  server.closeAllConnections();
  server.close();
});

const state = (): Promise<SpeechPackState> => device.ask.speechPack.state();
const whenStatus = (status: SpeechPackState['status']): Promise<void> =>
  expect.poll(async () => (await state()).status).toBe(status);

async function install(): Promise<void> {
  const { hash } = await device.ask.speechPack.find({ address });
  await device.ask.speechPack.install({ hash });
}

async function installWhole(): Promise<void> {
  await install();
  await whenStatus('ready');
}

async function speakFreely() {
  const { sessionId } = await startPractice(device.ask, 'audio');
  const { turnId } = await recordTurn(device.ask, sessionId);
  return { sessionId, turnId, heard: await device.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 }) };
}

describe('a speech pack', () => {
  it('is described before anything else of it is downloaded', async () => {
    expect(await device.ask.speechPack.find({ address })).toMatchObject({
      name: 'Tiny',
      licence: 'MIT',
      address: `${address}speech-pack.json`,
      totalBytes: expect.any(Number) as number,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(requests).toEqual(['speech-pack.json']);
    expect(await state()).toEqual({ status: 'none' });
  });

  it('transcribes speech that fits no expected reply, and lets the learner correct it', async () => {
    expect((await speakFreely()).heard).toMatchObject({ status: 'not_recognised' });
    await installWhole();
    const { sessionId, turnId, heard } = await speakFreely();
    if (heard.status !== 'heard') throw new Error(heard.status);
    expect(heard.text).toMatch(/^(?:yes|no|maybe)(?: (?:yes|no|maybe))*$/);
    expect(heard.words?.map(({ word }) => word).join(' ')).toBe(heard.text);
    // The words survive a restart.
    expect((await device.ask.practice.session({ sessionId })).waitingTurn).toEqual(heard);

    const [first, ...rest] = heard.text.split(' ');
    const other = await device.ask.practice.correctTranscript({
      sessionId,
      turnId,
      text: ['Maybe', ...rest].join(' '),
    });
    expect(first).not.toBe('Maybe');
    expect(other).toMatchObject({ words: [{ word: 'Maybe', confidence: 1 }, ...(heard.words ?? []).slice(1)] });

    const corrected = await device.ask.practice.correctTranscript({ sessionId, turnId, text: 'The ship was late.' });
    expect(corrected).toMatchObject({ status: 'heard', text: 'The ship was late.' });
    expect(corrected).not.toHaveProperty('words');
    const sent = await device.ask.practice.sendTurn({ sessionId, turnId });
    expect(sent.turns.find((turn) => turn.turnId === turnId)).toMatchObject({ text: 'The ship was late.' });
    expect(await state()).toMatchObject({ status: 'ready', speed: expect.any(Number) as number });
  });

  it('resumes where its download was interrupted', async () => {
    const half = Math.floor(readFileSync(join(folder, DECODER)).byteLength / 2);
    let cut = (): void => undefined;
    answer = (path, response) => {
      if (path !== DECODER) return false;
      const content = readFileSync(join(folder, DECODER));
      response.writeHead(200, { 'content-length': content.byteLength });
      response.write(content.subarray(0, half));
      cut = () => response.destroy();
      return true;
    };
    await install();
    const part = join(device.dataDir, 'speech-pack.part', DECODER);
    await expect.poll(() => existsSync(part) && statSync(part).size).toBe(half);
    cut();
    await whenStatus('interrupted');
    expect(await state()).toMatchObject({ failure: 'sync.offline' });
    answer = () => false;
    await device.host.close();
    device = await openHost({ dataDir: device.dataDir, scorer: aScriptedScorer({ best: () => null }) });
    const stopped = await state();
    if (stopped.status !== 'interrupted') throw new Error(stopped.status);
    requests = [];
    await device.ask.speechPack.install({ hash: stopped.pack.hash });
    await whenStatus('ready');
    expect(requests[0]).toBe(`${DECODER} bytes=${half}-`);
  });

  it('is not installed when a file is not the announced one, and can be loaded again', async () => {
    answer = (path, response) => {
      if (path !== DECODER) return false;
      response.end(Buffer.alloc(readFileSync(join(folder, DECODER)).byteLength));
      return true;
    };
    await install();
    await whenStatus('interrupted');
    expect(await state()).toMatchObject({ failure: 'damaged' });
    answer = (path, response) => {
      if (path !== DECODER) return false;
      response.end(Buffer.alloc(1_000_000));
      return true;
    };
    await install();
    await expect.poll(async () => (await state()).status).toBe('interrupted');
    answer = () => false;
    await installWhole();
  });

  it('leaves room on the disk for the learner’s own work', async () => {
    const { hash } = await device.ask.speechPack.find({ address });
    const free = leaveFreeBytes(50 * 2 ** 20);
    requests = [];
    await device.ask.speechPack.install({ hash });
    await whenStatus('interrupted');
    expect(await state()).toMatchObject({ failure: 'storage.full' });
    expect(requests).toEqual([]);
    free();
    await installWhole();
  });

  it('stops, and is removed with all its files', async () => {
    answer = (path) => path === DECODER;
    await install();
    await expect.poll(() => requests.includes(DECODER)).toBe(true);
    expect((await state()).status).toBe('loading');
    await device.ask.speechPack.stop();
    expect(await state()).toMatchObject({ status: 'interrupted', failure: null });
    answer = () => false;
    await installWhole();
    await device.ask.speechPack.remove();
    expect(await state()).toEqual({ status: 'none' });
    for (const name of ['speech-pack', 'speech-pack.part']) expect(existsSync(join(device.dataDir, name))).toBe(false);
  });

  it('is not used where it is too slow, unless the learner says so', async () => {
    await installWhole();
    writeFileSync(join(device.dataDir, 'speech-pack', '.speed.json'), '{"speed":2.5,"isSlowAllowed":false}');
    expect(await state()).toMatchObject({ status: 'ready', speed: 2.5, isTooSlow: true });
    expect((await speakFreely()).heard).toMatchObject({ status: 'not_recognised' });
    await device.ask.speechPack.allowSlow();
    expect(await state()).toMatchObject({ speed: 2.5, isTooSlow: false });
    expect((await speakFreely()).heard).toMatchObject({ status: 'heard' });
  });

  it.each([
    ['is missing', (path: string) => rmSync(path), 'at once'],
    ['has grown', (path: string) => appendFileSync(path, 'x'), 'at once'],
    ['holds something else', (path: string) => writeFileSync(path, Buffer.alloc(readFileSync(path).length)), 'in use'],
  ])(
    'whose file %s is reported as damaged, and loses no recording',
    { tags: ['slow'] },
    async (_what, damage, when) => {
      await installWhole();
      damage(join(device.dataDir, 'speech-pack', DECODER));
      if (when === 'at once') expect((await state()).status).toBe('damaged');
      expect((await speakFreely()).heard).toMatchObject({ status: 'not_recognised', failure: null });
      expect((await state()).status).toBe('damaged');
      await device.ask.speechPack.remove();
      await installWhole();
      expect((await speakFreely()).heard).toMatchObject({ status: 'heard' });
    },
  );

  it.each([
    ['http://school.example/speech', 'server.not_secure'],
    ['ftp://school.example/speech', 'server.address_invalid'],
    ['https://anna:secret@school.example/', 'server.address_invalid'],
    ['two words', 'server.address_invalid'],
  ])('is not looked for at %s', async (typed, code) => {
    await expect(device.ask.speechPack.find({ address: typed })).rejects.toMatchObject({ code });
  });

  it.each([
    ['a page', '<html>'],
    ['a newer format', '{"format":2}'],
    ['an endless file', ' '.repeat(70_000)],
  ])('is not found where there is %s', async (_what, body) => {
    writeFileSync(join(folder, 'speech-pack.json'), body);
    await expect(device.ask.speechPack.find({ address })).rejects.toMatchObject({ code: 'speech_pack.not_found' });
  });

  it('is installed only as it was shown', async () => {
    await device.ask.speechPack.find({ address });
    await expect(device.ask.speechPack.install({ hash: 'a'.repeat(64) })).rejects.toMatchObject({
      code: 'speech_pack.not_found',
    });
    await expect(device.ask.speechPack.find({ address: null })).rejects.toMatchObject({ code: 'sync.offline' });
  });

  it('replaces an older one when it is complete', async () => {
    await installWhole();
    writeFileSync(
      join(folder, 'generation_config.json'),
      `${readFileSync(join(folder, 'generation_config.json'), 'utf8')}\n`,
    );
    await describePack(folder, { name: 'Tiny 2', licence: 'MIT', source: null, precision: 'fp32' });
    await install();
    await expect.poll(async () => (await state()).status === 'ready').toBe(true);
    expect(await state()).toMatchObject({ pack: { name: 'Tiny 2' } });
    expect((await speakFreely()).heard).toMatchObject({ status: 'heard' });
  });
});
