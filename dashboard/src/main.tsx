// The beginning: who is signed in, then the page.

import "./app.css";
import "./ui/theme.ts";
import { render } from "preact";
import { App } from "./app.tsx";
import { loadSession } from "./data/session.ts";

const place = document.getElementById("app");

if (place !== null) {
    void loadSession();
    render(<App />, place);
}
