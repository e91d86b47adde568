export { CoursePackScreen } from './course-pack-screen.tsx';
