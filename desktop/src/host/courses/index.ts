export { type Assignments, createAssignments } from './assignments.ts';
export { type Courses, createCourses } from './courses.ts';
export { openSection } from './open-section.ts';
