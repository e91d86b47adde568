export { type Blog, createBlog } from './blog.ts';
