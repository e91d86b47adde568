/**
 * The coach's side of a realtime session: its responses as they are generated, the parts that the learner heard, and
 * interruptions.
 */
import type { RealtimeClientEvent, RealtimeResponseCreateParams } from 'openai/resources/realtime/realtime';
import type { PlaybackPosition } from '@parley/contract';
import type { RealtimeEvent } from '../../../../ports/speech/index.ts';
import { malformedError, ProviderError, providerErrorFromEvent } from '../../connection/provider-error.ts';
import type { Timeouts } from '../../connection/timeouts.ts';
import { PlaybackItem } from './playback-item.ts';
import type { KnownEvent } from '../server-events.ts';

export interface CoachOutputOptions {
  send: (event: RealtimeClientEvent) => void;
  /** Sends an event that may arrive too late and then be rejected. */
  sendBestEffort: (event: RealtimeClientEvent) => void;
  emit: (event: RealtimeEvent) => void;
  onConnectionLost: (trouble: ProviderError) => void;
  /** The coach can speak again. */
  onIdle: () => void;
  /** The provider limits the rate: the response must be requested again after this pause. */
  onRateLimited: (instructions: string | undefined, pauseMs: number) => void;
  /** Calls back when all earlier turns of the learner have their transcripts. */
  afterTranscripts: (callback: () => void) => void;
  endFunction: string;
  timeouts: Pick<Timeouts, 'firstByteMs' | 'silenceMs' | 'backoffMs'>;
  /** Returns milliseconds from any fixed point. */
  now: () => number;
}

type DoneResponse = Extract<KnownEvent, { type: 'response.done' }>['response'];

interface PendingResponse {
  instructions: string | undefined;
  isRetry: boolean;
  isCancelled: boolean;
  hasAudio: boolean;
  /** The items that were passed on to be played. */
  itemIds: string[];
}

/** How far a player that does not report may be behind. */
const PLAYBACK_SLACK_MS = 800;
/** How long the player may take to report where it stopped. */
const TRUNCATE_WITHIN_MS = 500;
/** How long the provider may take to report the usage of its last response. */
const LAST_USAGE_WITHIN_MS = 1_000;
/** A learner who starts this shortly before the coach ends is answering, not interrupting. */
const ANTICIPATION_MS = 700;
const CONTENT_FILTER = 'content_filter';
const RATE_LIMITED = 'rate_limit_exceeded';
/**
 * A limit of tokens per minute lets a long call continue after some seconds, so these pauses are longer than between
 * other attempts.
 */
const RATE_LIMIT_BACKOFF_FACTOR = 8;
const MAX_RATE_LIMIT_PAUSES = 2;

export class CoachOutput {
  readonly #options: CoachOutputOptions;
  /** The response that is being generated. */
  #response: PendingResponse | null = null;
  /** The utterance that is being played or still arriving. */
  #item: PlaybackItem | null = null;
  #playedMs: number | null = null;
  #wantsToEnd = false;
  #rateLimitPauses = 0;
  /** The learner has asked for a moment, so nothing is played. */
  #isOnHold = false;
  #whenSilent: (() => void)[] = [];
  #resolveClosed: (() => void) | null = null;
  #watchdog: NodeJS.Timeout | undefined;
  #endTimer: NodeJS.Timeout | undefined;

  constructor(options: CoachOutputOptions) {
    this.#options = options;
  }

  /** Returns whether a learner who starts now would speak over the coach. */
  isSpeaking(): boolean {
    if (this.#response !== null && !this.#response.isCancelled) return true;
    const item = this.#item;
    return (
      item !== null &&
      !item.isInterrupted &&
      (!item.isComplete || item.remainingMs(this.#options.now()) > ANTICIPATION_MS)
    );
  }

  /** Returns whether a new response can be requested. */
  get isIdle(): boolean {
    return this.#response === null && this.#item?.isInterrupted !== true;
  }

  get hasItem(): boolean {
    return this.#item !== null;
  }

  requestResponse(instructions?: string, { isRetry = false, mustSpeak = false } = {}): void {
    this.#response = { instructions, isRetry, isCancelled: false, hasAudio: false, itemIds: [] };
    this.#restartWatchdog(this.#options.timeouts.firstByteMs);
    const response: RealtimeResponseCreateParams = {
      ...(instructions === undefined ? {} : { instructions }),
      ...(mustSpeak ? { tool_choice: 'none' } : {}),
    };
    this.#options.send({ type: 'response.create', ...(Object.keys(response).length === 0 ? {} : { response }) });
  }

  handleEvent(event: KnownEvent): void {
    if (this.#resolveClosed !== null) {
      if (event.type !== 'response.done') return;
      return this.#resolveClosed();
    }
    if (this.#response !== null) this.#restartWatchdog(this.#options.timeouts.silenceMs);
    switch (event.type) {
      case 'response.output_audio_transcript.delta': {
        const item = this.#itemFor(event.item_id);
        if (item === null) return;
        item.text += event.delta;
        return this.#options.emit({ type: 'coachWords', itemId: item.itemId, text: event.delta });
      }
      case 'response.output_audio.delta': {
        const item = this.#itemFor(event.item_id);
        if (item === null) return;
        const pcm = Buffer.from(event.delta, 'base64');
        item.contentIndex = event.content_index;
        item.addAudio(pcm, this.#options.now());
        if (this.#isOnHold && !item.isHeld) item.hold(this.#options.now());
        if (this.#response !== null) this.#response.hasAudio = true;
        this.#rateLimitPauses = 0;
        return this.#options.emit({ type: 'coachAudio', itemId: item.itemId, pcm });
      }
      case 'response.done':
        return this.#responseDone(event.response);
      default:
    }
  }

  interrupt(): void {
    if (this.#response !== null && !this.#response.isCancelled) {
      this.#response.isCancelled = true;
      this.#options.sendBestEffort({ type: 'response.cancel' });
    }
    const item = this.#item;
    if (item === null || item.isInterrupted) return;
    item.isInterrupted = true;
    const playedMs = item.playedMs(this.#options.now());
    clearTimeout(this.#endTimer);
    this.#endTimer = setTimeout(() => this.#truncateAt(item, playedMs), TRUNCATE_WITHIN_MS);
    this.#options.emit({ type: 'bargeIn', itemId: item.itemId });
  }

  reportPlayback({ itemId, ...report }: PlaybackPosition): void {
    const item = this.#item;
    if (item?.itemId !== itemId) return;
    if (item.isInterrupted) return this.#truncateAt(item, report.audioMs);
    // Players round to their own frame size.
    const isOver = item.isComplete && report.isHeld !== true && report.audioMs >= item.audioMs - 100;
    if (isOver) return this.#finishItem(item, item.text.trim(), false);
    item.reportPlayback(report, this.#options.now());
    if (item.isComplete) this.#endWhenPlayed(item);
  }

  /**
   * The player does not report this hold: audio in transit pauses where it is, and later audio waits at its beginning.
   */
  setOnHold(isOnHold: boolean): void {
    this.#isOnHold = isOnHold;
    const item = this.#item;
    if (item === null || item.isInterrupted) return;
    if (isOnHold) item.hold(this.#options.now());
    else item.resume(this.#options.now());
    if (item.isComplete) this.#endWhenPlayed(item);
  }

  /** Resolves when nothing is left to play and the coach's utterance has been reported. */
  whenSilent(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#item === null) resolve();
    else this.#whenSilent.push(resolve);
    return promise;
  }

  /** Cancels the response that is being generated and waits for its usage. */
  async close(): Promise<void> {
    clearTimeout(this.#watchdog);
    clearTimeout(this.#endTimer);
    if (this.#response === null) return;
    if (!this.#response.isCancelled) this.#options.sendBestEffort({ type: 'response.cancel' });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resolveClosed = resolve;
    const timeout = setTimeout(resolve, LAST_USAGE_WITHIN_MS);
    await promise;
    clearTimeout(timeout);
  }

  /** Returns null for audio of a cancelled response. */
  #itemFor(itemId: string): PlaybackItem | null {
    if (this.#response === null || this.#response.isCancelled) return null;
    if (this.#item?.itemId === itemId) return this.#item;
    // When a new item begins before the last one ended, the last one counts as heard.
    if (this.#item !== null) this.#finishItem(this.#item, this.#item.text.trim(), false);
    this.#item = new PlaybackItem(itemId, this.#response.instructions !== undefined);
    this.#response.itemIds.push(itemId);
    this.#options.emit({ type: 'coachStarted', itemId });
    return this.#item;
  }

  #responseDone(response: DoneResponse): void {
    const requestResponse = this.#response;
    clearTimeout(this.#watchdog);
    // The utterance ends before the response does, so that whatever is said next waits until this response has been
    // requested again.
    const unheard = this.#item?.audioMs === 0 ? this.#item : null;
    if (unheard !== null && requestResponse?.isCancelled === false && !requestResponse.hasAudio)
      this.#dropUnheard(unheard);
    this.#response = null;
    const calls = (response.output ?? []).filter(({ type }) => type === 'function_call');
    for (const { call_id } of calls) this.#acknowledgeCall(call_id);
    if (calls.some(({ name }) => name === this.#options.endFunction)) this.#wantsToEnd = true;
    const item = this.#item;
    if (item !== null) item.isComplete = true;
    if (requestResponse === null || requestResponse.isCancelled) {
      this.#deleteUnheard(response, requestResponse?.itemIds ?? []);
      this.#truncateIfPossible();
      return this.#options.onIdle();
    }
    if (!requestResponse.hasAudio) {
      const { reason, error } = response.status_details ?? {};
      const code = reason === CONTENT_FILTER ? reason : error?.code;
      return this.#responseWithoutAudio(requestResponse, code, calls.length > 0);
    }
    if (item === null) return this.#options.onIdle();
    this.#endWhenPlayed(item);
    this.#options.onIdle();
  }

  /** Audio that arrived after the response was cancelled would count as said in the coach's history. */
  #deleteUnheard({ output = [] }: DoneResponse, heardIds: readonly string[]): void {
    for (const { type, id } of output)
      if (type === 'message' && id !== null && id !== undefined && !heardIds.includes(id))
        this.#options.sendBestEffort({ type: 'conversation.item.delete', item_id: id });
  }

  /** Its words have arrived, but none of its audio. */
  #dropUnheard({ itemId, hasOwnInstructions }: PlaybackItem): void {
    this.#item = null;
    const unheard = { text: '', wasCut: true, wantsToEnd: false, isOrdered: hasOwnInstructions };
    this.#options.emit({ type: 'coachEnded', itemId, ...unheard });
  }

  /**
   * Ends the utterance by the clock for a player that does not report. A player that is on hold reports when it
   * resumes.
   */
  #endWhenPlayed(item: PlaybackItem): void {
    clearTimeout(this.#endTimer);
    if (item.isHeld) return;
    const remainingMs = item.remainingMs(this.#options.now());
    this.#endTimer = setTimeout(() => this.#finishItem(item, item.text.trim(), false), remainingMs + PLAYBACK_SLACK_MS);
  }

  /** A model that only called the function still has to say goodbye; one that failed is asked once more. */
  #responseWithoutAudio(
    requestResponse: PendingResponse,
    code: string | null | undefined,
    hasFunctionCall: boolean,
  ): void {
    if (code === RATE_LIMITED && this.#rateLimitPauses < MAX_RATE_LIMIT_PAUSES) {
      const pauseMs = this.#options.timeouts.backoffMs * RATE_LIMIT_BACKOFF_FACTOR * 2 ** this.#rateLimitPauses;
      this.#rateLimitPauses += 1;
      return this.#options.onRateLimited(requestResponse.instructions, pauseMs);
    }
    if (!requestResponse.isRetry && code !== RATE_LIMITED)
      return this.requestResponse(requestResponse.instructions, { isRetry: true, mustSpeak: hasFunctionCall });
    const hasCode = code !== null && code !== undefined;
    this.#options.onConnectionLost(
      hasCode ? providerErrorFromEvent('coach', code) : malformedError('coach', 'an answer without sound'),
    );
  }

  #acknowledgeCall(callId: string | null | undefined): void {
    if (callId === null || callId === undefined) return;
    this.#options.sendBestEffort({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: callId, output: 'Noted.' },
    });
  }

  /** The provider can truncate only finished items. */
  #truncateAt(item: PlaybackItem, playedMs: number): void {
    if (this.#item !== item || this.#playedMs !== null) return;
    clearTimeout(this.#endTimer);
    this.#playedMs = Math.floor(Math.min(Math.max(0, playedMs), item.audioMs));
    this.#truncateIfPossible();
  }

  #truncateIfPossible(): void {
    const item = this.#item;
    const playedMs = this.#playedMs;
    if (item === null || playedMs === null || this.#response !== null) return;
    this.#options.sendBestEffort({
      type: 'conversation.item.truncate',
      item_id: item.itemId,
      content_index: item.contentIndex,
      audio_end_ms: playedMs,
    });
    this.#wantsToEnd = false;
    this.#finishItem(item, item.playedText(playedMs), true);
  }

  #finishItem(item: PlaybackItem, text: string, wasCut: boolean): void {
    if (this.#item !== item) return;
    clearTimeout(this.#endTimer);
    this.#item = null;
    this.#playedMs = null;
    const ended = {
      itemId: item.itemId,
      text,
      wasCut,
      wantsToEnd: this.#wantsToEnd,
      isOrdered: item.hasOwnInstructions,
    };
    this.#wantsToEnd = false;
    const whenSilent = this.#whenSilent;
    this.#whenSilent = [];
    this.#options.afterTranscripts(() => {
      this.#options.emit({ type: 'coachEnded', ...ended });
      for (const resolve of whenSilent) resolve();
    });
    this.#options.onIdle();
  }

  #restartWatchdog(ms: number): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(
      () =>
        this.#options.onConnectionLost(new ProviderError('coach', 'unreachable', 'fell silent', { isTransient: true })),
      ms,
    );
  }
}
