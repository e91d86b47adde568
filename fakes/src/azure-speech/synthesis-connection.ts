/** The server side of one synthesis: answers SSML with a hum whose length depends on the text. */
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { dropConnection } from './drop-connection.ts';
import { audioFrame, type Frame, readFrame, textFrame } from './frames.ts';
import type { RecordedCall, CallScript } from './script.ts';

const SAMPLE_RATE_HZ = 24_000;
const MS_PER_CHARACTER = 55;
const PIECE_BYTES = (SAMPLE_RATE_HZ / 10) * 2;
const TICKS_PER_SECOND = 10_000_000;
const STREAM_ID = 'fake-sound';

interface CallContext {
  socket: WebSocket;
  call: RecordedCall;
  script: CallScript;
  signal: AbortSignal;
}

export function answerSynthesis(
  socket: WebSocket,
  call: RecordedCall,
  rest: Pick<CallContext, 'script' | 'signal'>,
): void {
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const frame = readFrame(data, isBinary);
    if (!call.messages.includes(frame.path)) call.messages.push(frame.path);
    if (frame.path === 'synthesis.context') call.context = JSON.parse(frame.body.toString());
    if (frame.path === 'ssml') speak({ socket, call, ...rest }, frame).catch(() => undefined);
  });
}

async function speak({ socket, call, script, signal }: CallContext, { requestId, body }: Frame): Promise<void> {
  call.ssml = body.toString();
  if (script.answerAfterMs !== undefined) await pause(script.answerAfterMs, undefined, { signal });
  const sendMessage = (path: string, message: object): void =>
    socket.send(textFrame({ path, requestId, body: JSON.stringify(message) }));
  const context = { serviceTag: 'fake' };
  if (script.malformed === true) return socket.send(textFrame({ path: 'turn.start', requestId, body: '{"context":' }));
  sendMessage('turn.start', { context });
  sendMessage('response', { context, audio: { type: 'inline', streamId: STREAM_ID } });
  const pcm = script.hears === 'silence' ? Buffer.alloc(0) : hum(call.ssml);
  for (let at = 0; at < pcm.length; at += PIECE_BYTES) {
    const piece = pcm.subarray(at, at + PIECE_BYTES);
    socket.send(audioFrame({ requestId, streamId: STREAM_ID, pcm: piece }));
    call.spokenBytes += piece.length;
    if (script.cutAfterBytes !== undefined && call.spokenBytes >= script.cutAfterBytes) {
      // Data that was sent before the drop must arrive.
      await nextRound();
      return dropConnection(socket, script);
    }
    await nextRound();
    if (socket.readyState !== WebSocket.OPEN) return;
  }
  const seconds = pcm.length / 2 / SAMPLE_RATE_HZ;
  sendMessage('audio.metadata', {
    Metadata: [{ Type: 'SessionEnd', Data: { Offset: Math.round(seconds * TICKS_PER_SECOND) } }],
  });
  sendMessage('turn.end', {});
}

/** 16-bit little-endian mono, as long as the text takes to say. */
function hum(ssml: string): Buffer {
  const characters = ssml.replace(/<[^>]*>/g, '').length;
  const samples = Math.round((characters * MS_PER_CHARACTER * SAMPLE_RATE_HZ) / 1_000);
  const pcm = Buffer.alloc(samples * 2);
  for (let at = 0; at < samples; at += 1)
    pcm.writeInt16LE(Math.round(6_000 * Math.sin((2 * Math.PI * 160 * at) / SAMPLE_RATE_HZ)), at * 2);
  return pcm;
}
