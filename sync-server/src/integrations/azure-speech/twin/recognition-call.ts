/** The twin's side of a recognition: it hears the sound, tells of it while it comes, and answers at its end. */
import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { type Frame, readFrame, textFrame } from './frames.ts';
import { madeUpPhrase } from './made-up-phrase.ts';
import { type MadeUpWord, whatIsSaid } from './made-up-words.ts';
import { cut } from './cut.ts';
import type { TwinCall, TwinCallScript } from './script.ts';

const BYTES_A_MS = 32;
/** A guess of what is being said is told this often. */
const HYPOTHESIS_EVERY_BYTES = 500 * BYTES_A_MS;
const TICKS_A_MS = 10_000;

const SpeechContext = z.object({
  phraseDetection: z
    .object({
      mode: z.string().optional(),
      enrichment: z.object({ pronunciationAssessment: z.record(z.string(), z.unknown()).optional() }).optional(),
    })
    .optional(),
});

const AssessmentWish = z.object({
  referenceText: z.string().default(''),
  nbestPhonemeCount: z.number().default(0),
  enableMiscue: z.boolean().default(false),
  enableProsodyAssessment: z.boolean().default(false),
});

export function answerRecognition(
  socket: WebSocket,
  call: TwinCall,
  { script, signal }: { script: TwinCallScript; signal: AbortSignal },
): void {
  let turn: Turn | null = null;
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const frame = readFrame(data, isBinary);
    if (!call.messages.includes(frame.path)) call.messages.push(frame.path);
    if (frame.path === 'speech.context') readContext(frame, call);
    if (frame.path !== 'audio') return;
    if (turn?.requestId !== frame.requestId) turn = startTurn({ socket, call, script, signal }, frame.requestId);
    turn.hear(frame);
  });
}

function readContext(frame: Frame, call: TwinCall): void {
  call.context = JSON.parse(frame.body.toString());
  const { phraseDetection } = SpeechContext.parse(call.context);
  // Version 1 tells the mode by its address, version 2 by the context.
  call.mode ??= phraseDetection?.mode?.toLowerCase() ?? null;
  call.assessment = phraseDetection?.enrichment?.pronunciationAssessment ?? null;
}

interface Scene {
  socket: WebSocket;
  call: TwinCall;
  script: TwinCallScript;
  signal: AbortSignal;
}

interface Turn {
  requestId: string;
  hear: (frame: Frame) => void;
}

function startTurn(scene: Scene, requestId: string): Turn {
  const { socket, call, script } = scene;
  const wish = call.assessment === null ? null : AssessmentWish.parse(call.assessment);
  const words = recognisedWords(script, wish);
  const tell = (path: string, body: object): void =>
    socket.send(textFrame({ path, requestId, body: JSON.stringify(body) }));
  let isOver = false;
  let toldBytes = 0;

  const answer = async (heardMs: number, heard: readonly MadeUpWord[]): Promise<void> => {
    isOver = true;
    if (script.answerAfterMs !== undefined) await pause(script.answerAfterMs, undefined, { signal: scene.signal });
    for (const body of phrasesOf({ script, mode: call.mode, words: heard, heardMs, wish })) {
      socket.send(textFrame({ path: 'speech.phrase', requestId, body }));
      if (script.cutAfterPhrase === true) return cut(socket, script);
    }
    tell('speech.endDetected', { Offset: heardMs * TICKS_A_MS });
    tell('turn.end', {});
  };

  const hear = ({ body, contentType }: Frame): void => {
    if (isOver) return;
    if (contentType.startsWith('audio/x-wav')) return tell('turn.start', { context: { serviceTag: 'twin' } });
    call.audioBytes += body.length;
    const heardMs = call.audioBytes / BYTES_A_MS;
    if (script.cutAfterBytes !== undefined && call.audioBytes >= script.cutAfterBytes) return cut(socket, script);
    if (body.length === 0) {
      call.hasAudioEnded = true;
      return void answer(heardMs, words).catch(() => undefined);
    }
    if (script.stopsAtMs !== undefined && heardMs >= script.stopsAtMs && call.mode === 'interactive')
      return void answer(heardMs, words.slice(0, Math.ceil(words.length / 2))).catch(() => undefined);
    if (script.hears === 'silence' || script.answerAfterMs !== undefined) return;
    if (toldBytes === 0) tell('speech.startDetected', { Offset: 0 });
    if (call.audioBytes - toldBytes < HYPOTHESIS_EVERY_BYTES && toldBytes > 0) return;
    toldBytes = call.audioBytes;
    tell('speech.hypothesis', { Text: words[0]?.word ?? '', Offset: 0, Duration: Math.round(heardMs * TICKS_A_MS) });
  };
  return { requestId, hear };
}

/**
 * Without miscue detection "the recognized text will always be reference text": what was left out is reported as said, and what was added not
 * at all.
 */
function recognisedWords(script: TwinCallScript, wish: z.infer<typeof AssessmentWish> | null): MadeUpWord[] {
  const isRead = wish !== null && wish.referenceText !== '';
  const said = whatIsSaid(script, isRead ? wish.referenceText : null);
  if (!isRead || wish.enableMiscue) return said;
  return said.filter(({ kind }) => kind !== 'inserted').map(({ word }) => ({ word, kind: 'said' }));
}

interface Heard {
  script: TwinCallScript;
  mode: string | null;
  words: readonly MadeUpWord[];
  heardMs: number;
  wish: z.infer<typeof AssessmentWish> | null;
}

/** Bodies of the phrases that answer a turn. */
function phrasesOf(heard: Heard): string[] {
  const { script, mode, heardMs } = heard;
  const isContinuous = mode !== 'interactive';
  const whole = { Offset: 0, Duration: Math.round(heardMs * TICKS_A_MS) };
  if (script.malformed === true) return ['{"RecognitionStatus":"Success","NBest":[{"Display":'];
  if (script.status !== undefined) return [JSON.stringify({ RecognitionStatus: script.status, ...whole })];
  const last = isContinuous ? [JSON.stringify({ RecognitionStatus: 'EndOfDictation', ...whole })] : [];
  if (script.hears === 'no_match') return [JSON.stringify({ RecognitionStatus: 'NoMatch', ...whole }), ...last];
  if (script.hears === 'silence')
    return isContinuous ? last : [JSON.stringify({ RecognitionStatus: 'InitialSilenceTimeout', ...whole })];
  return [...spokenPhrases(heard, isContinuous).map((phrase) => JSON.stringify(phrase)), ...last];
}

function spokenPhrases({ script, words, heardMs, wish }: Heard, isContinuous: boolean): object[] {
  const startsAtMs = script.startsAtMs ?? 0;
  // Continuous recognition tells only what it heard: nothing of what is missing.
  const told = isContinuous ? words.filter(({ kind }) => kind !== 'omitted') : words;
  const scores = (isContinuous ? script.segments : undefined) ?? [script.segments?.[0] ?? {}];
  const wordsEach = Math.ceil(told.length / scores.length);
  const msEach = (heardMs - startsAtMs) / scores.length;
  return scores.map((segment, index) =>
    madeUpPhrase({
      words: told.slice(index * wordsEach, (index + 1) * wordsEach),
      startMs: startsAtMs + index * msEach,
      endMs: startsAtMs + (index + 1) * msEach,
      script,
      scores: segment,
      asked:
        wish === null
          ? null
          : {
              nBestPhonemeCount: wish.nbestPhonemeCount,
              hasMiscue: wish.enableMiscue && !isContinuous,
              hasProsody: wish.enableProsodyAssessment,
            },
    }),
  );
}
