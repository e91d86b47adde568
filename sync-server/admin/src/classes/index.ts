export { ClassesScreen } from './classes-screen.tsx';
export { ClassScreen } from './class-screen.tsx';
