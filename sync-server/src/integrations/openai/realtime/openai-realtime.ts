/** Implements realtime voice with OpenAI's Realtime protocol. */
import type { RealtimeVoice, RealtimeSessionOptions } from '../../../ports/speech/index.ts';
import { createOpenAiClient, type OpenAiAccess } from '../connection/client.ts';
import { openConnection } from '../connection/provider-connection.ts';
import { withRetries } from '../connection/retries.ts';
import { DEFAULT_TIMEOUTS } from '../connection/timeouts.ts';
import { createOpenAiRealtimeSession } from './realtime-session.ts';
import { connectRealtime } from './connect-realtime.ts';
import { toSessionRequest } from './session-request.ts';

export interface OpenAiRealtimeOptions extends OpenAiAccess {
  /** The transcription model; null for a server that has none. Defaults to the provider's own. */
  transcribeModel?: string | null;
}

/** This model transcribes complete turns. Streaming transcription models need a session of their own. */
const DEFAULT_TRANSCRIBE_MODEL = 'gpt-transcribe';
/** The secret must be used within this time; the connection may stay open longer. */
const SECRET_LIFETIME_S = 60;

export function createOpenAiRealtime(options: OpenAiRealtimeOptions): RealtimeVoice {
  const { model } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const transcribeModel = options.transcribeModel === undefined ? DEFAULT_TRANSCRIBE_MODEL : options.transcribeModel;
  const sessionRequestFor = (request: RealtimeSessionOptions) => toSessionRequest({ model, transcribeModel }, request);

  return {
    name: model,
    open: async (request, { onEvent, signal }) => {
      signal.throwIfAborted();
      const realtimeSession = createOpenAiRealtimeSession({
        settings: request,
        isTranscribed: transcribeModel !== null,
        timeouts,
        onEvent,
      });
      const { handleEvent, onConnectionLost } = realtimeSession;
      const session = sessionRequestFor(request);
      const connection = await withRetries(signal, timeouts, () =>
        connectRealtime({
          access: options,
          timeouts,
          session,
          signal,
          onEvent: handleEvent,
          onLost: onConnectionLost,
        }),
      );
      realtimeSession.start(connection);
      return realtimeSession.session;
    },
    createClientSecret: async (request, signal) => {
      signal.throwIfAborted();
      const client = createOpenAiClient(options);
      const clientSecret = await withRetries(signal, timeouts, () => {
        const connection = openConnection('coach', signal, timeouts);
        const body = {
          expires_after: { anchor: 'created_at', seconds: SECRET_LIFETIME_S },
          session: sessionRequestFor(request),
        } as const;
        return connection.receive(client.realtime.clientSecrets.create(body, { signal: connection.signal }));
      });
      return { secret: clientSecret.value, expiresAt: new Date(clientSecret.expires_at * 1_000) };
    },
  };
}
