import { lazyRouteComponent } from '@tanstack/react-router';

export const BlogScreen = lazyRouteComponent(() => import('./blog-screen.tsx'), 'BlogScreen');
export const PostScreen = lazyRouteComponent(() => import('./post-screen.tsx'), 'PostScreen');
