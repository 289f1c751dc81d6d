// The console as prompt_console serves it: one page, with or without a session.

import "./app.css";
import "./ui/theme.ts";
import { render } from "preact";
import { LocationProvider } from "preact-iso/router";
import { loadSession } from "./data/session.ts";
import Console from "./routes/console.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { Toasts } from "./ui/toast.tsx";

const place = document.getElementById("app");

if (place !== null) {
    // where there is no session location it cannot say who is signed in, and
    // a key is all there is
    void loadSession();
    render(
        <LocationProvider scope={location.pathname}>
            <main id="main" tabIndex={-1}>
                <Console alone />
            </main>
            <SignInAgain />
            <Toasts />
        </LocationProvider>,
        place,
    );
}
