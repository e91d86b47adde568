/** A coach who listens while it speaks, behind OpenAI's Realtime protocol. */
import type { RealtimeVoice, RealtimeWish } from '../../../speech/index.ts';
import { connectOpenAi, type OpenAiAccess } from '../access.ts';
import { openLine } from '../line.ts';
import { asSpeechFailure } from '../provider-trouble.ts';
import { withRetries } from '../retries.ts';
import { DEFAULT_TIMEOUTS } from '../timeouts.ts';
import { holdConversation } from './conversation.ts';
import { dial } from './dial.ts';
import { sessionOf } from './session-update.ts';

export interface OpenAiRealtimeOptions extends OpenAiAccess {
  /** Writes down what the learner says; null for a server that has none. By default the provider's own. */
  transcribeModel?: string | null;
}

/** Writes down a turn when it is over; those that write along have sessions of their own. */
const DEFAULT_TRANSCRIBE_MODEL = 'gpt-transcribe';
/** For a line to be opened with; then it may stay open. */
const SECRET_S = 60;

export function createOpenAiRealtime(options: OpenAiRealtimeOptions): RealtimeVoice {
  const { model } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const transcribeModel = options.transcribeModel === undefined ? DEFAULT_TRANSCRIBE_MODEL : options.transcribeModel;
  const sessionFor = (wish: RealtimeWish) => sessionOf({ model, transcribeModel }, wish);

  return {
    name: model,
    open: async (wish, { hear, signal }) => {
      signal.throwIfAborted();
      const conversation = holdConversation({ wish, isTranscribed: transcribeModel !== null, timeouts, hear });
      const { take, lost } = conversation;
      try {
        const session = sessionFor(wish);
        const line = await withRetries(signal, timeouts, () =>
          dial({ access: options, timeouts, session, signal, take, lost }),
        );
        conversation.begin(line);
        return conversation.session;
      } catch (error) {
        throw asSpeechFailure(error);
      }
    },
    mintSecret: async (wish, signal) => {
      signal.throwIfAborted();
      const client = connectOpenAi(options);
      try {
        const minted = await withRetries(signal, timeouts, () => {
          const line = openLine(signal, timeouts);
          const body = {
            expires_after: { anchor: 'created_at', seconds: SECRET_S },
            session: sessionFor(wish),
          } as const;
          return line.expect(client.realtime.clientSecrets.create(body, { signal: line.signal }));
        });
        return { secret: minted.value, expiresAt: new Date(minted.expires_at * 1_000) };
      } catch (error) {
        throw asSpeechFailure(error);
      }
    },
  };
}
