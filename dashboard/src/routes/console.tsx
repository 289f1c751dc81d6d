// /console: GraphQL by hand.

export { default } from "../console/page.tsx";
