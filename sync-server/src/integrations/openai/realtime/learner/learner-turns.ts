/**
 * The learner's side of a realtime session: decides when the learner speaks, whether a sound interrupts the coach, and which sounds are
 * turns.
 */
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { RealtimeEvent, AudioSpan } from '../../../../ports/speech/index.ts';
import { isBackchannel } from './backchannel.ts';
import { judgeOverlap } from './overlap.ts';
import type { KnownEvent } from '../server-events.ts';
import { clampRange, type Utterance, createUtterance } from './utterance.ts';
import { VoiceActivityMeter } from './voice-activity-meter.ts';

export interface LearnerTurnsOptions {
  send: (event: RealtimeClientEvent) => void;
  /** Sends an event that may arrive too late and then be rejected. */
  sendBestEffort: (event: RealtimeClientEvent) => void;
  emit: (event: RealtimeEvent) => void;
  coach: { isSpeaking: () => boolean; interrupt: () => void };
  /** The learner said something that needs an answer. */
  onTurnTaken: () => void;
}

/** After this time a turn is reported without its transcript, which follows when it arrives. */
const TRANSCRIPT_WITHIN_MS = 3_000;
/** A short sound whose transcript arrives later than this counts only if it is more than a backchannel. */
const OVERLAP_TRANSCRIPT_WITHIN_MS = 1_500;
/** A shorter sound is not a word. */
const MIN_VOICED_MS = 100;
/** The provider adds the same amount before a sound, so that its first syllable is complete. */
const PREFIX_MS = 300;

export class LearnerTurns {
  readonly #options: LearnerTurnsOptions;
  readonly #meter = new VoiceActivityMeter();
  #utterance: Utterance | null = null;
  /** Short sounds over the coach's speech, by item, that wait for their transcript. */
  readonly #pendingOverlaps = new Map<
    string,
    { words: string; range: AudioSpan; isLate: boolean; timer: NodeJS.Timeout }
  >();
  /** Turns that wait for their transcript. */
  readonly #awaitingTranscript = new Map<string, { range: AudioSpan; timer: NodeJS.Timeout }>();
  /** Turns that were reported without a transcript because it took too long. */
  readonly #withoutTranscript = new Map<string, AudioSpan>();
  #transcriptWaiters: (() => void)[] = [];
  #resolveFinished: (() => void) | null = null;
  /** A commit was requested and not yet answered. */
  #isCommitPending = false;
  /** Position up to which the provider has committed the audio. */
  #committedToMs = 0;
  #spokenMs = 0;
  #meteredMs = 0;

  constructor(options: LearnerTurnsOptions) {
    this.#options = options;
  }

  get spokenMs(): number {
    return this.#spokenMs;
  }

  /** Whether the learner is speaking in a turn of their own. */
  get isSpeaking(): boolean {
    return this.#utterance !== null && !this.#utterance.isOverlap;
  }

  addAudio(pcm: Uint8Array): void {
    this.#meter.addAudio(pcm);
    this.#options.send({ type: 'input_audio_buffer.append', audio: Buffer.from(pcm).toString('base64') });
    this.#judgeOverlap();
  }

  /** Calls back when all turns so far have a transcript, or are no longer waiting for one. */
  afterTranscripts(callback: () => void): void {
    this.#transcriptWaiters.push(callback);
    this.#releaseWaiters();
  }

  /** Ends the learner's audio: an unfinished utterance becomes a turn. Resolves when all transcripts are reported. */
  finish(): Promise<void> {
    const unfinished = this.#utterance ?? this.#undetectedUtterance();
    if (unfinished !== null) {
      this.#utterance = unfinished;
      if (unfinished.isOverlap && !unfinished.isRemainder) this.#promoteToTurn(unfinished);
      this.#isCommitPending = true;
      this.#options.sendBestEffort({ type: 'input_audio_buffer.commit' });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resolveFinished = resolve;
    this.#releaseWaiters();
    return promise;
  }

  /** The provider found no speech in the audio that we asked it to commit. */
  commitRejected(): void {
    this.#isCommitPending = false;
    this.#releaseWaiters();
  }

  /** Reports all waiting turns without a transcript. */
  stopWaitingForTranscripts(): void {
    for (const itemId of this.#awaitingTranscript.keys()) this.#emitWithoutTranscript(itemId);
  }

  handleEvent(event: KnownEvent): void {
    switch (event.type) {
      case 'input_audio_buffer.speech_started':
        return this.#speechStarted(event.item_id, event.audio_start_ms);
      case 'input_audio_buffer.speech_stopped':
        if (this.#utterance !== null) this.#utterance.endMs = event.audio_end_ms ?? this.#meter.totalMs;
        return;
      case 'input_audio_buffer.committed':
        return this.#audioCommitted(event.item_id);
      case 'conversation.item.input_audio_transcription.delta':
        return this.#addTranscriptDelta(event.item_id, event.delta ?? '');
      case 'conversation.item.input_audio_transcription.completed':
        return this.#transcriptReady(event.item_id, event.transcript.trim());
      case 'conversation.item.input_audio_transcription.failed':
        return this.#transcriptReady(event.item_id, null);
      default:
    }
  }

  close(): void {
    for (const { timer } of this.#pendingOverlaps.values()) clearTimeout(timer);
    for (const { timer } of this.#awaitingTranscript.values()) clearTimeout(timer);
    this.#transcriptWaiters = [];
  }

  /** Returns speech that the provider has not detected or not reported yet. */
  #undetectedUtterance(): Utterance | null {
    const { currentSpan } = this.#meter;
    if (currentSpan === null || currentSpan.endMs - Math.max(currentSpan.startMs, this.#committedToMs) < MIN_VOICED_MS)
      return null;
    const fromMs = Math.max(this.#committedToMs, currentSpan.startMs - PREFIX_MS);
    this.#options.emit({ type: 'learnerStarted', fromMs });
    return createUtterance(fromMs, { itemId: null, isOverlap: false, isRemainder: false });
  }

  #speechStarted(itemId: string, startMs: number): void {
    const isOverlap = this.#options.coach.isSpeaking();
    const { totalMs } = this.#meter;
    const { fromMs } = clampRange(totalMs, { fromMs: startMs, toMs: totalMs });
    this.#utterance = createUtterance(fromMs, { itemId, isOverlap, isRemainder: false });
    if (isOverlap) this.#judgeOverlap();
    else this.#options.emit({ type: 'learnerStarted', fromMs });
  }

  #judgeOverlap(): void {
    const utterance = this.#utterance;
    if (utterance === null || !utterance.isOverlap) return;
    const voicedMs = this.#voicedMs(utterance);
    if (!this.#options.coach.isSpeaking()) {
      // The coach has finished in the meantime, so this can no longer interrupt it.
      if (!utterance.isRemainder || voicedMs >= MIN_VOICED_MS) this.#promoteToTurn(utterance);
      return;
    }
    const silentMs = this.#meter.totalMs - (this.#meter.currentSpan?.endMs ?? 0);
    const hasRequestedCommit = utterance.commitRequestedAtMs !== null || utterance.endMs !== null;
    switch (judgeOverlap({ voicedMs, silentMs, words: utterance.words, isFinal: false, hasRequestedCommit })) {
      case 'interrupt':
        this.#options.coach.interrupt();
        return this.#promoteToTurn(utterance);
      case 'ask_words':
        utterance.commitRequestedAtMs = this.#meter.totalMs;
        return this.#options.sendBestEffort({ type: 'input_audio_buffer.commit' });
      default:
    }
  }

  #promoteToTurn(utterance: Utterance): void {
    utterance.isOverlap = false;
    utterance.isRemainder = false;
    this.#options.emit({ type: 'learnerStarted', fromMs: utterance.fromMs });
  }

  /** Returns the voiced duration of the current or last speech. */
  #voicedMs({ fromMs }: Utterance): number {
    const { currentSpan } = this.#meter;
    return currentSpan === null ? 0 : Math.max(0, currentSpan.endMs - Math.max(currentSpan.startMs, fromMs));
  }

  #audioCommitted(itemId: string): void {
    const utterance = this.#utterance;
    const { totalMs } = this.#meter;
    this.#isCommitPending = false;
    if (utterance?.endMs === null && utterance.commitRequestedAtMs !== null)
      return this.#requestedCommitDone(itemId, utterance, utterance.commitRequestedAtMs);
    this.#utterance = null;
    const fromMs = utterance?.fromMs ?? this.#committedToMs;
    const range = clampRange(totalMs, { fromMs, toMs: utterance?.endMs ?? totalMs });
    this.#committedToMs = range.toMs;
    if (utterance === null || !utterance.isOverlap) return this.#addTurn(itemId, range);
    if (utterance.isRemainder && this.#voicedMs(utterance) < MIN_VOICED_MS) return this.#discardItem(itemId);
    this.#awaitOverlapTranscript(itemId, { words: utterance.words, range });
  }

  /** The commit came before the provider detected the end: it treats the rest as the same speech, starting where we asked. */
  #requestedCommitDone(itemId: string, { fromMs, isOverlap, words }: Utterance, askedAtMs: number): void {
    this.#utterance = createUtterance(askedAtMs, { itemId: null, isOverlap, isRemainder: isOverlap });
    this.#committedToMs = askedAtMs;
    const range = { fromMs, toMs: askedAtMs };
    if (isOverlap) this.#awaitOverlapTranscript(itemId, { words, range });
    // The sound has become an interruption, and this item is only its beginning.
    else this.#awaitTranscript(itemId, range);
  }

  #awaitOverlapTranscript(itemId: string, overlap: { words: string; range: AudioSpan }): void {
    const pendingOverlap = {
      ...overlap,
      isLate: false,
      timer: setTimeout(() => {
        pendingOverlap.isLate = true;
      }, OVERLAP_TRANSCRIPT_WITHIN_MS),
    };
    this.#pendingOverlaps.set(itemId, pendingOverlap);
  }

  #addTurn(itemId: string, range: AudioSpan): void {
    this.#meterSpokenTime();
    this.#awaitTranscript(itemId, range);
    this.#options.onTurnTaken();
  }

  #awaitTranscript(itemId: string, range: AudioSpan): void {
    const timer = setTimeout(() => this.#emitWithoutTranscript(itemId), TRANSCRIPT_WITHIN_MS);
    this.#awaitingTranscript.set(itemId, { range, timer });
  }

  #emitWithoutTranscript(itemId: string): void {
    const range = this.#awaitingTranscript.get(itemId)?.range;
    if (range !== undefined) this.#withoutTranscript.set(itemId, range);
    this.#transcriptReady(itemId, null);
  }

  #addTranscriptDelta(itemId: string, words: string): void {
    if (this.#utterance?.itemId === itemId) {
      this.#utterance.words += words;
      this.#judgeOverlap();
    }
    const pendingOverlap = this.#pendingOverlaps.get(itemId);
    if (pendingOverlap !== undefined) pendingOverlap.words += words;
  }

  /** The text is null when the provider could not transcribe the audio. */
  #transcriptReady(itemId: string, text: string | null): void {
    if (this.#pendingOverlaps.has(itemId)) return this.#decideOverlap(itemId, text ?? '');
    const pending = this.#awaitingTranscript.get(itemId);
    if (pending === undefined) return this.#lateTranscriptReady(itemId, text);
    clearTimeout(pending.timer);
    this.#awaitingTranscript.delete(itemId);
    this.#options.emit({ type: 'learnerSaid', itemId, text, ...pending.range });
    this.#releaseWaiters();
  }

  #lateTranscriptReady(itemId: string, text: string | null): void {
    const range = this.#withoutTranscript.get(itemId);
    if (range === undefined || text === null) return;
    this.#withoutTranscript.delete(itemId);
    this.#options.emit({ type: 'learnerSaid', itemId, text, ...range });
  }

  /** Decides about a short sound when its transcript is known. */
  #decideOverlap(itemId: string, text: string): void {
    const pendingOverlap = this.#pendingOverlaps.get(itemId);
    if (pendingOverlap === undefined) return;
    const { range, isLate, timer } = pendingOverlap;
    clearTimeout(timer);
    this.#pendingOverlaps.delete(itemId);
    const isSpeaking = this.#options.coach.isSpeaking();
    // "Yes" is a backchannel while the coach speaks and an answer when it has just finished.
    if (text === '' || ((isSpeaking || isLate) && isBackchannel(text))) return this.#discardItem(itemId);
    if (isSpeaking) this.#options.coach.interrupt();
    this.#options.emit({ type: 'learnerStarted', fromMs: range.fromMs });
    this.#meterSpokenTime();
    this.#options.emit({ type: 'learnerSaid', itemId, text, ...range });
    this.#options.onTurnTaken();
    this.#releaseWaiters();
  }

  /** Deletes the item, so that the coach does not answer it. */
  #discardItem(itemId: string): void {
    this.#meteredMs = this.#meter.voicedMs;
    this.#options.sendBestEffort({ type: 'conversation.item.delete', item_id: itemId });
    this.#releaseWaiters();
  }

  #meterSpokenTime(): void {
    this.#spokenMs += this.#meter.voicedMs - this.#meteredMs;
    this.#meteredMs = this.#meter.voicedMs;
  }

  #releaseWaiters(): void {
    if (this.#awaitingTranscript.size > 0) return;
    const waiters = this.#transcriptWaiters;
    this.#transcriptWaiters = [];
    for (const callback of waiters) callback();
    if (!this.#isCommitPending && this.#pendingOverlaps.size === 0) this.#resolveFinished?.();
  }
}
