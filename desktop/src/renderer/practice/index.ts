export { CallScreen } from './call/call-screen.tsx';
export { DimensionBars } from './dimension-bars.tsx';
export { TurnFeedback } from './turn-feedback.tsx';
export { ConversationScreen } from './conversation-screen.tsx';
export { MicrophoneCheckScreen } from './microphone-check-screen.tsx';
export { ResultScreen } from './result-screen.tsx';
