export { HistoryScreen } from './history-screen.tsx';
