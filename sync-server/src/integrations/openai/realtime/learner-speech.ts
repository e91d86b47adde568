/** The learner's side of a conversation: when they speak, whether a sound of theirs interrupts the coach, and which of them are turns. */
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { RealtimeEvent, SoundPlace } from '../../../speech/index.ts';
import { isBackchannel } from './backchannel.ts';
import { judgeOverlap } from './overlap.ts';
import type { KnownEvent } from './server-events.ts';
import { placeWithin, type Utterance, utteranceFrom } from './utterance.ts';
import { VoiceMeter } from './voice-meter.ts';

export interface LearnerSpeechParts {
  send: (event: RealtimeClientEvent) => void;
  /** For what may come too late, and then is refused. */
  tryTo: (event: RealtimeClientEvent) => void;
  tell: (event: RealtimeEvent) => void;
  coach: { isSpeaking: () => boolean; interrupt: () => void };
  /** The learner said something that wants an answer. */
  turnTaken: () => void;
}

/** Words that do not come in this time are not waited for; they are told when they come. */
const WORDS_WITHIN_MS = 3_000;
/** The words of a short sound that come later answer nothing any more, unless they are more than agreement. */
const SHORT_WORDS_WITHIN_MS = 1_500;
/** Less than this is no word. */
const LEAST_VOICED_MS = 100;
/** As much from before a sound as a provider adds, so that its first syllable is whole. */
const PREFIX_MS = 300;

export class LearnerSpeech {
  readonly #parts: LearnerSpeechParts;
  readonly #meter = new VoiceMeter();
  #utterance: Utterance | null = null;
  /** Short sounds while the coach spoke, by their item. */
  readonly #undecided = new Map<string, { words: string; place: SoundPlace; isLate: boolean; timer: NodeJS.Timeout }>();
  /** Turns whose words are to come. */
  readonly #unwritten = new Map<string, { place: SoundPlace; timer: NodeJS.Timeout }>();
  /** Turns that were told without their words, for these took too long. */
  readonly #late = new Map<string, SoundPlace>();
  #afterWords: (() => void)[] = [];
  #finished: (() => void) | null = null;
  /** We asked the provider to take what was begun for a turn, and it has not answered yet. */
  #isCommitDue = false;
  /** Up to where the provider has made items of the sound. */
  #committedToMs = 0;
  #spokenMs = 0;
  #countedMs = 0;

  constructor(parts: LearnerSpeechParts) {
    this.#parts = parts;
  }

  get spokenMs(): number {
    return this.#spokenMs;
  }

  /** In a turn of their own. */
  get isSpeaking(): boolean {
    return this.#utterance !== null && !this.#utterance.isOverlap;
  }

  hear(pcm: Uint8Array): void {
    this.#meter.take(pcm);
    this.#parts.send({ type: 'input_audio_buffer.append', audio: Buffer.from(pcm).toString('base64') });
    this.#consider();
  }

  /** Calls back when the words of all turns so far are there, or not to be waited for. */
  afterWords(callback: () => void): void {
    this.#afterWords.push(callback);
    this.#releaseWaiting();
  }

  /** Nothing more will be said: what was begun is a turn, as it is. Resolves when the words of all turns are told. */
  finish(): Promise<void> {
    const spoken = this.#utterance ?? this.#unnoticed();
    if (spoken !== null) {
      this.#utterance = spoken;
      if (spoken.isOverlap && !spoken.isRest) this.#ownTurn(spoken);
      this.#isCommitDue = true;
      this.#parts.tryTo({ type: 'input_audio_buffer.commit' });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#finished = resolve;
    this.#releaseWaiting();
    return promise;
  }

  /** The provider found nothing in what it was asked to take for a turn. */
  commitRefused(): void {
    this.#isCommitDue = false;
    this.#releaseWaiting();
  }

  /** Words that are not there yet are not waited for any longer. */
  stopWaiting(): void {
    for (const itemId of this.#unwritten.keys()) this.#tellUnwritten(itemId);
  }

  take(event: KnownEvent): void {
    switch (event.type) {
      case 'input_audio_buffer.speech_started':
        return this.#begin(event.item_id, event.audio_start_ms);
      case 'input_audio_buffer.speech_stopped':
        if (this.#utterance !== null) this.#utterance.endMs = event.audio_end_ms ?? this.#meter.totalMs;
        return;
      case 'input_audio_buffer.committed':
        return this.#committed(event.item_id);
      case 'conversation.item.input_audio_transcription.delta':
        return this.#hearWords(event.item_id, event.delta ?? '');
      case 'conversation.item.input_audio_transcription.completed':
        return this.#written(event.item_id, event.transcript.trim());
      case 'conversation.item.input_audio_transcription.failed':
        return this.#written(event.item_id, null);
      default:
    }
  }

  close(): void {
    for (const { timer } of this.#undecided.values()) clearTimeout(timer);
    for (const { timer } of this.#unwritten.values()) clearTimeout(timer);
    this.#afterWords = [];
  }

  /** A sound that the provider has not noticed yet, or not told of. */
  #unnoticed(): Utterance | null {
    const { burst } = this.#meter;
    if (burst === null || burst.endMs - Math.max(burst.startMs, this.#committedToMs) < LEAST_VOICED_MS) return null;
    const fromMs = Math.max(this.#committedToMs, burst.startMs - PREFIX_MS);
    this.#parts.tell({ type: 'learnerStarted', fromMs });
    return utteranceFrom(fromMs, { itemId: null, isOverlap: false, isRest: false });
  }

  #begin(itemId: string, startMs: number): void {
    const isOverlap = this.#parts.coach.isSpeaking();
    const { totalMs } = this.#meter;
    const { fromMs } = placeWithin(totalMs, { fromMs: startMs, toMs: totalMs });
    this.#utterance = utteranceFrom(fromMs, { itemId, isOverlap, isRest: false });
    if (isOverlap) this.#consider();
    else this.#parts.tell({ type: 'learnerStarted', fromMs });
  }

  #consider(): void {
    const utterance = this.#utterance;
    if (utterance === null || !utterance.isOverlap) return;
    const voicedMs = this.#voicedMs(utterance);
    if (!this.#parts.coach.isSpeaking()) {
      // The coach has finished meanwhile: nobody is interrupted any more.
      if (!utterance.isRest || voicedMs >= LEAST_VOICED_MS) this.#ownTurn(utterance);
      return;
    }
    const silentMs = this.#meter.totalMs - (this.#meter.burst?.endMs ?? 0);
    const hasAsked = utterance.askedAtMs !== null || utterance.endMs !== null;
    switch (judgeOverlap({ voicedMs, silentMs, words: utterance.words, isFinal: false, hasAsked })) {
      case 'interrupt':
        this.#parts.coach.interrupt();
        return this.#ownTurn(utterance);
      case 'ask_words':
        utterance.askedAtMs = this.#meter.totalMs;
        return this.#parts.tryTo({ type: 'input_audio_buffer.commit' });
      default:
    }
  }

  #ownTurn(utterance: Utterance): void {
    utterance.isOverlap = false;
    utterance.isRest = false;
    this.#parts.tell({ type: 'learnerStarted', fromMs: utterance.fromMs });
  }

  /** Of the speech that goes on, or was last. */
  #voicedMs({ fromMs }: Utterance): number {
    const { burst } = this.#meter;
    return burst === null ? 0 : Math.max(0, burst.endMs - Math.max(burst.startMs, fromMs));
  }

  #committed(itemId: string): void {
    const utterance = this.#utterance;
    const { totalMs } = this.#meter;
    this.#isCommitDue = false;
    if (utterance?.endMs === null && utterance.askedAtMs !== null)
      return this.#committedForUs(itemId, utterance, utterance.askedAtMs);
    this.#utterance = null;
    const fromMs = utterance?.fromMs ?? this.#committedToMs;
    const place = placeWithin(totalMs, { fromMs, toMs: utterance?.endMs ?? totalMs });
    this.#committedToMs = place.toMs;
    if (utterance === null || !utterance.isOverlap) return this.#turn(itemId, place);
    if (utterance.isRest && this.#voicedMs(utterance) < LEAST_VOICED_MS) return this.#forget(itemId);
    this.#askForWords(itemId, { words: utterance.words, place });
  }

  /** Before the provider noticed the end: for it, the same speech goes on, from where we asked. */
  #committedForUs(itemId: string, { fromMs, isOverlap, words }: Utterance, askedAtMs: number): void {
    this.#utterance = utteranceFrom(askedAtMs, { itemId: null, isOverlap, isRest: isOverlap });
    this.#committedToMs = askedAtMs;
    const place = { fromMs, toMs: askedAtMs };
    if (isOverlap) this.#askForWords(itemId, { words, place });
    // It became an interruption meanwhile, and this is only how it began.
    else this.#write(itemId, place);
  }

  #askForWords(itemId: string, asked: { words: string; place: SoundPlace }): void {
    const undecided = {
      ...asked,
      isLate: false,
      timer: setTimeout(() => {
        undecided.isLate = true;
      }, SHORT_WORDS_WITHIN_MS),
    };
    this.#undecided.set(itemId, undecided);
  }

  #turn(itemId: string, place: SoundPlace): void {
    this.#countSpoken();
    this.#write(itemId, place);
    this.#parts.turnTaken();
  }

  #write(itemId: string, place: SoundPlace): void {
    const timer = setTimeout(() => this.#tellUnwritten(itemId), WORDS_WITHIN_MS);
    this.#unwritten.set(itemId, { place, timer });
  }

  #tellUnwritten(itemId: string): void {
    const place = this.#unwritten.get(itemId)?.place;
    if (place !== undefined) this.#late.set(itemId, place);
    this.#written(itemId, null);
  }

  #hearWords(itemId: string, words: string): void {
    if (this.#utterance?.itemId === itemId) {
      this.#utterance.words += words;
      this.#consider();
    }
    const undecided = this.#undecided.get(itemId);
    if (undecided !== undefined) undecided.words += words;
  }

  /** Null where nobody can tell. */
  #written(itemId: string, text: string | null): void {
    if (this.#undecided.has(itemId)) return this.#decide(itemId, text ?? '');
    const unwritten = this.#unwritten.get(itemId);
    if (unwritten === undefined) return this.#writtenLate(itemId, text);
    clearTimeout(unwritten.timer);
    this.#unwritten.delete(itemId);
    this.#parts.tell({ type: 'learnerSaid', itemId, text, ...unwritten.place });
    this.#releaseWaiting();
  }

  #writtenLate(itemId: string, text: string | null): void {
    const place = this.#late.get(itemId);
    if (place === undefined || text === null) return;
    this.#late.delete(itemId);
    this.#parts.tell({ type: 'learnerSaid', itemId, text, ...place });
  }

  /** Of a short sound, when its words are known. */
  #decide(itemId: string, text: string): void {
    const undecided = this.#undecided.get(itemId);
    if (undecided === undefined) return;
    const { place, isLate, timer } = undecided;
    clearTimeout(timer);
    this.#undecided.delete(itemId);
    const isSpeaking = this.#parts.coach.isSpeaking();
    // "Yes" is agreement while the coach speaks, and an answer when it has just finished.
    if (text === '' || ((isSpeaking || isLate) && isBackchannel(text))) return this.#forget(itemId);
    if (isSpeaking) this.#parts.coach.interrupt();
    this.#parts.tell({ type: 'learnerStarted', fromMs: place.fromMs });
    this.#countSpoken();
    this.#parts.tell({ type: 'learnerSaid', itemId, text, ...place });
    this.#parts.turnTaken();
    this.#releaseWaiting();
  }

  /** The coach must not think that it was asked something. */
  #forget(itemId: string): void {
    this.#countedMs = this.#meter.voicedMs;
    this.#parts.tryTo({ type: 'conversation.item.delete', item_id: itemId });
    this.#releaseWaiting();
  }

  #countSpoken(): void {
    this.#spokenMs += this.#meter.voicedMs - this.#countedMs;
    this.#countedMs = this.#meter.voicedMs;
  }

  #releaseWaiting(): void {
    if (this.#unwritten.size > 0) return;
    const waiting = this.#afterWords;
    this.#afterWords = [];
    for (const callback of waiting) callback();
    if (!this.#isCommitDue && this.#undecided.size === 0) this.#finished?.();
  }
}
