/** The server side of one recognition: receives audio, sends hypotheses while it arrives and the phrases at its end. */
import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { type Frame, readFrame, textFrame } from './frames.ts';
import { cannedPhrase } from './canned-phrase.ts';
import { type CannedWord, cannedWords } from './canned-words.ts';
import { dropConnection } from './drop-connection.ts';
import type { RecordedCall, CallScript } from './script.ts';

const BYTES_PER_MS = 32;
/** A hypothesis is sent after each such amount of audio. */
const HYPOTHESIS_EVERY_BYTES = 500 * BYTES_PER_MS;
const TICKS_PER_MS = 10_000;

const SpeechContext = z.object({
  phraseDetection: z
    .object({
      mode: z.string().optional(),
      enrichment: z.object({ pronunciationAssessment: z.record(z.string(), z.unknown()).optional() }).optional(),
    })
    .optional(),
});

const AssessmentSettings = z.object({
  referenceText: z.string().default(''),
  nbestPhonemeCount: z.number().default(0),
  enableMiscue: z.boolean().default(false),
  enableProsodyAssessment: z.boolean().default(false),
});

export function answerRecognition(
  socket: WebSocket,
  call: RecordedCall,
  { script, signal }: { script: CallScript; signal: AbortSignal },
): void {
  let turn: Turn | null = null;
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const frame = readFrame(data, isBinary);
    if (!call.messages.includes(frame.path)) call.messages.push(frame.path);
    if (frame.path === 'speech.context') readContext(frame, call);
    if (frame.path !== 'audio') return;
    if (turn?.requestId !== frame.requestId) turn = startTurn({ socket, call, script, signal }, frame.requestId);
    turn.receiveAudio(frame);
  });
}

function readContext(frame: Frame, call: RecordedCall): void {
  call.context = JSON.parse(frame.body.toString());
  const { phraseDetection } = SpeechContext.parse(call.context);
  // Version 1 names the mode in its path, version 2 in the context.
  call.mode ??= phraseDetection?.mode?.toLowerCase() ?? null;
  call.assessment = phraseDetection?.enrichment?.pronunciationAssessment ?? null;
}

interface CallContext {
  socket: WebSocket;
  call: RecordedCall;
  script: CallScript;
  signal: AbortSignal;
}

interface Turn {
  requestId: string;
  receiveAudio: (frame: Frame) => void;
}

function startTurn(context: CallContext, requestId: string): Turn {
  const { socket, call, script } = context;
  const settings = call.assessment === null ? null : AssessmentSettings.parse(call.assessment);
  const words = recognisedWords(script, settings);
  const sendMessage = (path: string, body: object): void =>
    socket.send(textFrame({ path, requestId, body: JSON.stringify(body) }));
  let isFinished = false;
  let hypothesisBytes = 0;

  const sendAnswer = async (receivedMs: number, recognised: readonly CannedWord[]): Promise<void> => {
    isFinished = true;
    if (script.answerAfterMs !== undefined) await pause(script.answerAfterMs, undefined, { signal: context.signal });
    for (const body of phraseBodies({ script, mode: call.mode, words: recognised, receivedMs, settings })) {
      socket.send(textFrame({ path: 'speech.phrase', requestId, body }));
      if (script.cutAfterPhrase === true) return dropConnection(socket, script);
    }
    sendMessage('speech.endDetected', { Offset: receivedMs * TICKS_PER_MS });
    sendMessage('turn.end', {});
  };

  const receiveAudio = ({ body, contentType }: Frame): void => {
    if (isFinished) return;
    if (contentType.startsWith('audio/x-wav')) return sendMessage('turn.start', { context: { serviceTag: 'fake' } });
    call.audioBytes += body.length;
    const receivedMs = call.audioBytes / BYTES_PER_MS;
    if (script.cutAfterBytes !== undefined && call.audioBytes >= script.cutAfterBytes)
      return dropConnection(socket, script);
    if (body.length === 0) {
      call.hasAudioEnded = true;
      return void sendAnswer(receivedMs, words).catch(() => undefined);
    }
    if (script.stopsAtMs !== undefined && receivedMs >= script.stopsAtMs && call.mode === 'interactive')
      return void sendAnswer(receivedMs, words.slice(0, Math.ceil(words.length / 2))).catch(() => undefined);
    if (script.hears === 'silence' || script.answerAfterMs !== undefined) return;
    if (hypothesisBytes === 0) sendMessage('speech.startDetected', { Offset: 0 });
    if (call.audioBytes - hypothesisBytes < HYPOTHESIS_EVERY_BYTES && hypothesisBytes > 0) return;
    hypothesisBytes = call.audioBytes;
    sendMessage('speech.hypothesis', {
      Text: words[0]?.word ?? '',
      Offset: 0,
      Duration: Math.round(receivedMs * TICKS_PER_MS),
    });
  };
  return { requestId, receiveAudio };
}

/**
 * Without miscue detection "the recognized text will always be reference text": omitted words are reported as said, and inserted words
 * are not reported.
 */
function recognisedWords(script: CallScript, settings: z.infer<typeof AssessmentSettings> | null): CannedWord[] {
  const isScripted = settings !== null && settings.referenceText !== '';
  const said = cannedWords(script, isScripted ? settings.referenceText : null);
  if (!isScripted || settings.enableMiscue) return said;
  return said.filter(({ kind }) => kind !== 'inserted').map(({ word }) => ({ word, kind: 'said' }));
}

interface RecognisedTurn {
  script: CallScript;
  mode: string | null;
  words: readonly CannedWord[];
  receivedMs: number;
  settings: z.infer<typeof AssessmentSettings> | null;
}

/** Returns the bodies of the phrases that answer a turn. */
function phraseBodies(recognised: RecognisedTurn): string[] {
  const { script, mode, receivedMs } = recognised;
  const isContinuous = mode !== 'interactive';
  const whole = { Offset: 0, Duration: Math.round(receivedMs * TICKS_PER_MS) };
  if (script.malformed === true) return ['{"RecognitionStatus":"Success","NBest":[{"Display":'];
  if (script.status !== undefined) return [JSON.stringify({ RecognitionStatus: script.status, ...whole })];
  const last = isContinuous ? [JSON.stringify({ RecognitionStatus: 'EndOfDictation', ...whole })] : [];
  if (script.hears === 'no_match') return [JSON.stringify({ RecognitionStatus: 'NoMatch', ...whole }), ...last];
  if (script.hears === 'silence')
    return isContinuous ? last : [JSON.stringify({ RecognitionStatus: 'InitialSilenceTimeout', ...whole })];
  return [...spokenPhrases(recognised, isContinuous).map((phrase) => JSON.stringify(phrase)), ...last];
}

function spokenPhrases({ script, words, receivedMs, settings }: RecognisedTurn, isContinuous: boolean): object[] {
  const startsAtMs = script.startsAtMs ?? 0;
  // Continuous recognition reports only what it heard, so omitted words are missing.
  const reportedWords = isContinuous ? words.filter(({ kind }) => kind !== 'omitted') : words;
  const scores = (isContinuous ? script.segments : undefined) ?? [script.segments?.[0] ?? {}];
  const wordsEach = Math.ceil(reportedWords.length / scores.length);
  const msEach = (receivedMs - startsAtMs) / scores.length;
  return scores.map((segment, index) =>
    cannedPhrase({
      words: reportedWords.slice(index * wordsEach, (index + 1) * wordsEach),
      startMs: startsAtMs + index * msEach,
      endMs: startsAtMs + (index + 1) * msEach,
      script,
      scores: segment,
      requested:
        settings === null
          ? null
          : {
              nBestPhonemeCount: settings.nbestPhonemeCount,
              hasMiscue: settings.enableMiscue && !isContinuous,
              hasProsody: settings.enableProsodyAssessment,
            },
    }),
  );
}
