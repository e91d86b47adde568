export { BlogScreen } from './blog-screen.tsx';
export { PostScreen } from './post-screen.tsx';
