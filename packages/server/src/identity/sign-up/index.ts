/** Opening an account oneself. */
export { isSignUpOpen, purgeExpiredSignUps, sendDueSignUp } from './sign-up.ts';
export { signUpRoutes } from './sign-up-routes.ts';
