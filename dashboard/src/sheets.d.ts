declare module "*.sheet.css" {
    const text: string;
    export default text;
}

declare module "*.css";
