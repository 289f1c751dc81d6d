// The beginning: who is signed in, then the page.

import "./font.css";
import "./app.css";
import "./ui/theme.ts";
import { render } from "preact";
import { App } from "./app.tsx";
import { restoreProject } from "./data/project.ts";
import { loadSession } from "./data/session.ts";
import { takeToken } from "./data/token.ts";

const place = document.getElementById("app");

if (place !== null) {
    restoreProject();
    takeToken();

    // what the HTML brought stands until it is known whose page this is
    void loadSession().then(() => {
        place.replaceChildren();
        render(<App />, place);
    });
}
