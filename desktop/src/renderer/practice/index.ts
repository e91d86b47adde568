export { CallScreen } from './realtime/call-screen.tsx';
export { ScoreSummary } from './feedback/score-summary.tsx';
export { TurnFeedback } from './feedback/turn-feedback.tsx';
export { ConversationScreen } from './session/conversation-screen.tsx';
export { MicrophoneCheckScreen } from './microphone-check/microphone-check-screen.tsx';
export { ResultScreen } from './result/result-screen.tsx';
