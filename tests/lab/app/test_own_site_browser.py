"""`lab app --index DIR`, started as a person starts it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from serving import ROOT, free_port, wait_until_healthy

from indexer.index import Index

pytestmark = pytest.mark.browser


def test_the_page_is_served_about_the_site_of_an_index(browser: Browser, tmp_path: Path) -> None:
    source, log = tmp_path / "harbour", tmp_path / "log"
    source.mkdir()
    (source / "tides.md").write_text("# Tides\n\nThe tide turns every six hours.\n", "utf-8")
    Index.build(source)[0].save(tmp_path / "index")
    port = free_port()
    call = [sys.executable, "-m", "lab", "app", "--index", "index", "--port", str(port)]
    env = {**os.environ, "LAB_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    with log.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(call, cwd=tmp_path, env=env, stdout=out, stderr=out)
        try:
            wait_until_healthy(process, port, log)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{port}")
            page.get_by_role("button", name="What is there about Tides?").click(timeout=60_000)
            question = page.get_by_role("textbox", name="Question")
            expect(question).to_have_value("What is there about Tides?")
            page.get_by_role("button", name="Ask", exact=True).click()
            expect(page.locator(".lab-answer")).to_contain_text("every six hours")
            expect(page.locator(".lab-head")).to_contain_text("harbour, 1 passage")
            page.close()
        finally:
            process.terminate()
            assert process.wait(30) is not None
    with socket.create_server(("127.0.0.1", port)):  # what it had started has ended with it
        pass
