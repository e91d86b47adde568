/** The coach's side of a conversation: its answers as they are made, what of them was heard, and how one is cut. */
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { LineHeard } from '@parley/contract';
import type { RealtimeEvent } from '../../../speech/index.ts';
import { malformed, ProviderTrouble, troubleOfEvent } from '../provider-trouble.ts';
import type { Timeouts } from '../timeouts.ts';
import { CoachLine } from './coach-line.ts';
import type { KnownEvent } from './server-events.ts';

export interface CoachSpeechParts {
  send: (event: RealtimeClientEvent) => void;
  /** For what may come too late, and then is refused. */
  tryTo: (event: RealtimeClientEvent) => void;
  tell: (event: RealtimeEvent) => void;
  lost: (trouble: ProviderTrouble) => void;
  /** The coach may be made to speak again. */
  free: () => void;
  /** Calls back when all that the learner said before is written down. */
  afterWords: (callback: () => void) => void;
  endFunction: string;
  timeouts: Pick<Timeouts, 'firstByteMs' | 'silenceMs'>;
  /** In ms, from anywhere. */
  now: () => number;
}

interface Answer {
  instructions: string | undefined;
  isSecondTry: boolean;
  isCancelled: boolean;
  hasSound: boolean;
}

/** A player that says nothing may be this much behind. */
const PLAYED_SLACK_MS = 800;
/** How long a player is waited for to say where it stopped. */
const CUT_WITHIN_MS = 500;
/** How long a provider is waited for to say what its last answer took. */
const LAST_USE_WITHIN_MS = 1_000;
/** Who begins to speak this shortly before the coach has finished answers it, and does not interrupt. */
const ANTICIPATION_MS = 700;

export class CoachSpeech {
  readonly #parts: CoachSpeechParts;
  /** In the making. */
  #answer: Answer | null = null;
  /** In the learner's ear, or on its way there. */
  #line: CoachLine | null = null;
  #heardMs: number | null = null;
  #wantsToEnd = false;
  /** The learner has asked for a moment: nothing is played. */
  #isMoment = false;
  #whenSilent: (() => void)[] = [];
  #closing: (() => void) | null = null;
  #watchdog: NodeJS.Timeout | undefined;
  #ending: NodeJS.Timeout | undefined;

  constructor(parts: CoachSpeechParts) {
    this.#parts = parts;
  }

  /** Whether somebody who begins to speak now speaks at the same time. */
  isSpeaking(): boolean {
    if (this.#answer !== null && !this.#answer.isCancelled) return true;
    const line = this.#line;
    return line !== null && !line.isCut && (!line.isWhole || line.leftMs(this.#parts.now()) > ANTICIPATION_MS);
  }

  /** A new answer can be asked for. */
  get isFree(): boolean {
    return this.#answer === null && this.#line?.isCut !== true;
  }

  get hasLine(): boolean {
    return this.#line !== null;
  }

  answer(instructions?: string, isSecondTry = false): void {
    this.#answer = { instructions, isSecondTry, isCancelled: false, hasSound: false };
    this.#watch(this.#parts.timeouts.firstByteMs);
    this.#parts.send({
      type: 'response.create',
      ...(instructions === undefined ? {} : { response: { instructions } }),
    });
  }

  take(event: KnownEvent): void {
    if (this.#closing !== null) {
      if (event.type !== 'response.done') return;
      return this.#closing();
    }
    if (this.#answer !== null) this.#watch(this.#parts.timeouts.silenceMs);
    switch (event.type) {
      case 'response.output_audio_transcript.delta': {
        const line = this.#lineOf(event.item_id);
        if (line === null) return;
        line.text += event.delta;
        return this.#parts.tell({ type: 'coachWords', itemId: line.itemId, text: event.delta });
      }
      case 'response.output_audio.delta': {
        const line = this.#lineOf(event.item_id);
        if (line === null) return;
        const pcm = Buffer.from(event.delta, 'base64');
        line.contentIndex = event.content_index;
        line.sound(pcm, this.#parts.now());
        if (this.#isMoment && !line.isHeld) line.hold(this.#parts.now());
        if (this.#answer !== null) this.#answer.hasSound = true;
        return this.#parts.tell({ type: 'coachAudio', itemId: line.itemId, pcm });
      }
      case 'response.done':
        return this.#answered(event.response);
      default:
    }
  }

  interrupt(): void {
    if (this.#answer !== null && !this.#answer.isCancelled) {
      this.#answer.isCancelled = true;
      this.#parts.tryTo({ type: 'response.cancel' });
    }
    const line = this.#line;
    if (line === null || line.isCut) return;
    line.isCut = true;
    const heardMs = line.heardMs(this.#parts.now());
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => this.#cutAt(line, heardMs), CUT_WITHIN_MS);
    this.#parts.tell({ type: 'bargeIn', itemId: line.itemId });
  }

  played({ itemId, ...heard }: LineHeard): void {
    const line = this.#line;
    if (line?.itemId !== itemId) return;
    if (line.isCut) return this.#cutAt(line, heard.audioMs);
    // Players round to their own frames.
    const isOver = line.isWhole && heard.isHeld !== true && heard.audioMs >= line.audioMs - 100;
    if (isOver) return this.#end(line, line.text.trim(), false);
    line.played(heard, this.#parts.now());
    if (line.isWhole) this.#endWhenHeard(line);
  }

  /** Without a word from its player: what is on its way waits as it is, and what comes waits from its beginning. */
  giveMeAMoment(isOn: boolean): void {
    this.#isMoment = isOn;
    const line = this.#line;
    if (line === null || line.isCut) return;
    if (isOn) line.hold(this.#parts.now());
    else line.goOn(this.#parts.now());
    if (line.isWhole) this.#endWhenHeard(line);
  }

  /** Resolves when nothing of the coach is on its way to the learner's ear, and it is told what was heard. */
  silent(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#line === null) resolve();
    else this.#whenSilent.push(resolve);
    return promise;
  }

  /** Stops the answer in the making, so that it is known what it took. */
  async close(): Promise<void> {
    clearTimeout(this.#watchdog);
    clearTimeout(this.#ending);
    if (this.#answer === null) return;
    if (!this.#answer.isCancelled) this.#parts.tryTo({ type: 'response.cancel' });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing = resolve;
    const late = setTimeout(resolve, LAST_USE_WITHIN_MS);
    await promise;
    clearTimeout(late);
  }

  /** Null for what belongs to an answer that nobody wants any more. */
  #lineOf(itemId: string): CoachLine | null {
    if (this.#answer === null || this.#answer.isCancelled) return null;
    if (this.#line?.itemId === itemId) return this.#line;
    // Who lets the coach speak again before the last line is over has heard enough of it.
    if (this.#line !== null) this.#end(this.#line, this.#line.text.trim(), false);
    this.#line = new CoachLine(itemId, this.#answer.instructions !== undefined);
    this.#parts.tell({ type: 'coachStarted', itemId });
    return this.#line;
  }

  #answered(response: Extract<KnownEvent, { type: 'response.done' }>['response']): void {
    const answer = this.#answer;
    this.#answer = null;
    clearTimeout(this.#watchdog);
    const calls = (response.output ?? []).filter(({ type }) => type === 'function_call');
    for (const { call_id } of calls) this.#acknowledge(call_id);
    if (calls.some(({ name }) => name === this.#parts.endFunction)) this.#wantsToEnd = true;
    const line = this.#line;
    if (line !== null) line.isWhole = true;
    if (answer === null || answer.isCancelled) {
      this.#tryToCut();
      return this.#parts.free();
    }
    if (!answer.hasSound) return this.#answeredNothing(answer, response.status_details?.error?.code, calls.length > 0);
    if (line === null) return this.#parts.free();
    this.#endWhenHeard(line);
    this.#parts.free();
  }

  /** For a player that does not say so; one that holds the line says when it goes on. */
  #endWhenHeard(line: CoachLine): void {
    clearTimeout(this.#ending);
    if (line.isHeld) return;
    const leftMs = line.leftMs(this.#parts.now());
    this.#ending = setTimeout(() => this.#end(line, line.text.trim(), false), leftMs + PLAYED_SLACK_MS);
  }

  /** A model that only called the function has still to say goodbye; one that failed is asked once more. */
  #answeredNothing(answer: Answer, code: string | null | undefined, hasCalled: boolean): void {
    if (!answer.isSecondTry) return this.answer(answer.instructions, true);
    const hasCode = code !== null && code !== undefined;
    if (hasCode || !hasCalled) this.#parts.lost(hasCode ? troubleOfEvent(code) : malformed('an answer without sound'));
  }

  #acknowledge(callId: string | null | undefined): void {
    if (callId === null || callId === undefined) return;
    this.#parts.tryTo({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: callId, output: 'Noted.' },
    });
  }

  /** The provider can truncate only what it has finished. */
  #cutAt(line: CoachLine, heardMs: number): void {
    if (this.#line !== line || this.#heardMs !== null) return;
    clearTimeout(this.#ending);
    this.#heardMs = Math.floor(Math.min(Math.max(0, heardMs), line.audioMs));
    this.#tryToCut();
  }

  #tryToCut(): void {
    const line = this.#line;
    const heardMs = this.#heardMs;
    if (line === null || heardMs === null || this.#answer !== null) return;
    this.#parts.tryTo({
      type: 'conversation.item.truncate',
      item_id: line.itemId,
      content_index: line.contentIndex,
      audio_end_ms: heardMs,
    });
    this.#wantsToEnd = false;
    this.#end(line, line.heardText(heardMs), true);
  }

  #end(line: CoachLine, text: string, wasCut: boolean): void {
    if (this.#line !== line) return;
    clearTimeout(this.#ending);
    this.#line = null;
    this.#heardMs = null;
    const ended = { itemId: line.itemId, text, wasCut, wantsToEnd: this.#wantsToEnd, isOrdered: line.isOrdered };
    this.#wantsToEnd = false;
    const silent = this.#whenSilent;
    this.#whenSilent = [];
    this.#parts.afterWords(() => {
      this.#parts.tell({ type: 'coachEnded', ...ended });
      for (const resolve of silent) resolve();
    });
    this.#parts.free();
  }

  #watch(ms: number): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(
      () => this.#parts.lost(new ProviderTrouble('unreachable', 'fell silent', { isTransient: true })),
      ms,
    );
  }
}
