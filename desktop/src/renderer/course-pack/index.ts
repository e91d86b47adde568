import { lazyRouteComponent } from '@tanstack/react-router';

export const CoursePackScreen = lazyRouteComponent(() => import('./course-pack-screen.tsx'), 'CoursePackScreen');
