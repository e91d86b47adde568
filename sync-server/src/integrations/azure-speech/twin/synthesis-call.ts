/** The twin's side of a synthesis: a line of SSML becomes a hum as long as the line. */
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { cut } from './cut.ts';
import { audioFrame, type Frame, readFrame, textFrame } from './frames.ts';
import type { TwinCall, TwinCallScript } from './script.ts';

const SAMPLE_RATE_HZ = 24_000;
const MS_A_CHARACTER = 55;
const PIECE_BYTES = (SAMPLE_RATE_HZ / 10) * 2;
const TICKS_A_SECOND = 10_000_000;
const STREAM_ID = 'twin-sound';

interface Scene {
  socket: WebSocket;
  call: TwinCall;
  script: TwinCallScript;
  signal: AbortSignal;
}

export function answerSynthesis(socket: WebSocket, call: TwinCall, rest: Pick<Scene, 'script' | 'signal'>): void {
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const frame = readFrame(data, isBinary);
    if (!call.messages.includes(frame.path)) call.messages.push(frame.path);
    if (frame.path === 'synthesis.context') call.context = JSON.parse(frame.body.toString());
    if (frame.path === 'ssml') speak({ socket, call, ...rest }, frame).catch(() => undefined);
  });
}

async function speak({ socket, call, script, signal }: Scene, { requestId, body }: Frame): Promise<void> {
  call.ssml = body.toString();
  if (script.answerAfterMs !== undefined) await pause(script.answerAfterMs, undefined, { signal });
  const tell = (path: string, told: object): void =>
    socket.send(textFrame({ path, requestId, body: JSON.stringify(told) }));
  const context = { serviceTag: 'twin' };
  if (script.malformed === true) return socket.send(textFrame({ path: 'turn.start', requestId, body: '{"context":' }));
  tell('turn.start', { context });
  tell('response', { context, audio: { type: 'inline', streamId: STREAM_ID } });
  const pcm = script.hears === 'silence' ? Buffer.alloc(0) : hum(call.ssml);
  for (let at = 0; at < pcm.length; at += PIECE_BYTES) {
    const piece = pcm.subarray(at, at + PIECE_BYTES);
    socket.send(audioFrame({ requestId, streamId: STREAM_ID, pcm: piece }));
    call.spokenBytes += piece.length;
    if (script.cutAfterBytes !== undefined && call.spokenBytes >= script.cutAfterBytes) {
      // What was sent before is to arrive.
      await nextRound();
      return cut(socket, script);
    }
    await nextRound();
    if (socket.readyState !== WebSocket.OPEN) return;
  }
  const seconds = pcm.length / 2 / SAMPLE_RATE_HZ;
  tell('audio.metadata', {
    Metadata: [{ Type: 'SessionEnd', Data: { Offset: Math.round(seconds * TICKS_A_SECOND) } }],
  });
  tell('turn.end', {});
}

/** 16-bit little-endian mono, as long as the text takes to say. */
function hum(ssml: string): Buffer {
  const characters = ssml.replace(/<[^>]*>/g, '').length;
  const samples = Math.round((characters * MS_A_CHARACTER * SAMPLE_RATE_HZ) / 1_000);
  const pcm = Buffer.alloc(samples * 2);
  for (let at = 0; at < samples; at += 1)
    pcm.writeInt16LE(Math.round(6_000 * Math.sin((2 * Math.PI * 160 * at) / SAMPLE_RATE_HZ)), at * 2);
  return pcm;
}
