/** Filters the captions of the coach's utterances, and gives the turns of the transcript their ids. */
import { type CaptionGate, createCaptionGate, plainUtterance } from '@parley/coach/model';
import type { TurnId } from '@parley/domain';
import type { RealtimeEvent } from '../../ports/speech/index.ts';
import type { VoiceInput } from './realtime-state.ts';

export function createCaptionFilter(newTurnId: () => TurnId): (event: RealtimeEvent) => VoiceInput {
  const gateByItem = new Map<string, CaptionGate>();
  return (event) => {
    switch (event.type) {
      case 'coachStarted':
        gateByItem.set(event.itemId, createCaptionGate());
        return event;
      case 'coachWords': {
        const gate = gateByItem.get(event.itemId);
        const text = gate?.take(event.text) ?? '';
        return { ...event, text, mustInterrupt: gate?.mustInterrupt() === true };
      }
      case 'coachEnded': {
        const gate = gateByItem.get(event.itemId);
        gateByItem.delete(event.itemId);
        return {
          ...event,
          text: gate?.storableText(plainUtterance(event.text)) ?? '',
          // A model without function calls speaks the end marker.
          wantsToEnd: event.wantsToEnd || gate?.hasEndMarker() === true,
          turnId: newTurnId(),
        };
      }
      case 'learnerSaid':
        return { ...event, turnId: newTurnId() };
      case 'failed':
        return { type: 'voiceFailed', error: event.failure };
      default:
        return event;
    }
  };
}
