export { CourseProgress, ItemLink, itemTitle } from './course-parts.tsx';
export { CourseScreen } from './course-screen.tsx';
export { CoursesScreen } from './courses-screen.tsx';
export { VideoScreen } from './video-screen.tsx';
