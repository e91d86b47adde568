export { LevelSuggestion } from './level-suggestion.tsx';
export { TodayScreen } from './today-screen.tsx';
