import { lazyRouteComponent } from '@tanstack/react-router';

export { ScoreSummary } from './feedback/score-summary.tsx';
export { TurnFeedback } from './feedback/turn-feedback.tsx';

export const CallScreen = lazyRouteComponent(() => import('./realtime/call-screen.tsx'), 'CallScreen');
export const ConversationScreen = lazyRouteComponent(
  () => import('./session/conversation-screen.tsx'),
  'ConversationScreen',
);
export const MicrophoneCheckScreen = lazyRouteComponent(
  () => import('./microphone-check/microphone-check-screen.tsx'),
  'MicrophoneCheckScreen',
);
export const ResultScreen = lazyRouteComponent(() => import('./result/result-screen.tsx'), 'ResultScreen');
