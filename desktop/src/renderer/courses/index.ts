import { lazyRouteComponent } from '@tanstack/react-router';

export { CourseProgress, ItemLink, itemTitle } from './course-parts.tsx';

export const CourseScreen = lazyRouteComponent(() => import('./course-screen.tsx'), 'CourseScreen');
export const CoursesScreen = lazyRouteComponent(() => import('./courses-screen.tsx'), 'CoursesScreen');
export const VideoScreen = lazyRouteComponent(() => import('./video-screen.tsx'), 'VideoScreen');
