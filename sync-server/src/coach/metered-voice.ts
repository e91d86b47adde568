/** Wraps a voice so that each utterance needs a budget and is recorded in the ledger. */
import { isFreeLocation, type ServiceLocation } from '@parley/contract';
import type { CoachVoice } from '@parley/domain';
import { type Ledger, speechSynthesisCostMicros } from '../metering/index.ts';
import type { Synthesiser } from '../ports/speech/index.ts';

/** Yields 16-bit little-endian mono PCM at 24 kHz as it is generated. */
export type MeteredVoice = (
  userId: string,
  utterance: { text: string; voice: CoachVoice; signal: AbortSignal },
) => AsyncGenerator<Uint8Array>;

export function createMeteredVoice(
  { where, synthesiser }: { where: ServiceLocation; synthesiser: Synthesiser },
  { ledger, newId }: { ledger: Ledger; newId: () => string },
): MeteredVoice {
  const isFree = isFreeLocation(where);
  return async function* speak(userId, { text, voice, signal }) {
    const costMicros = isFree ? 0 : speechSynthesisCostMicros(synthesiser.name, text);
    const reservation = isFree ? null : await ledger.reserve({ userId, costMicros, isLeased: false });
    const spoken = (): Promise<void> =>
      ledger.record({
        id: newId(),
        userId,
        sessionId: null,
        use: 'speak',
        style: 'turn_based',
        costMicros,
        model: synthesiser.name,
      });
    try {
      yield* synthesiser.speak({ text, voice, signal, spoken });
    } finally {
      await reservation?.release();
    }
  };
}
