# The commands for a person. `make demo` and `make test` do all the set-up; `make help` lists the rest.

SWIFT ?= swift
PREFIX ?= $(HOME)/.local
# Ctrl-C in the dashboard is a way to leave it, not an error of make's.
INTERRUPTED = [ $$? -eq 130 ]

.PHONY: help run demo test check check-long stress bench fuzz order screenshots install uninstall deb tarball \
  package-test lint format clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: packages-run ## build and open the dashboard
	$(SWIFT) build --product permtui
	@$$($(SWIFT) build --show-bin-path)/permtui || $(INTERRUPTED)

demo: packages-run ## build and play the demo, on a throw-away store
	$(SWIFT) build --product permtui
	@$$($(SWIFT) build --show-bin-path)/permtui demo || $(INTERRUPTED)

test: packages-test ## run all tests
	$(SWIFT) build --build-tests
	scripts/test

check: ## run what CI runs: lint, tests with warnings as errors, sanitizers, some of it at once
	.ci/run

check-long: packages-test ## run the same, one step at a time, then the long tests: kills, random changes, hand-overs
	.ci/run --alone
	$(MAKE) stress
	PERMTUI_STORM_KEYS=100000 $(SWIFT) test --skip-build --filter '^PermTUITests\.StormTests'
	PERMTUI_KILL_ROUNDS=500 PERMTUI_RANDOM_CHANGES=10000 \
	  $(SWIFT) test --skip-build --filter '^PermModelTests\.ProcessTests'
	PERMTUI_UPGRADE_DECISIONS=100000 $(SWIFT) test --skip-build --filter '^PermModelTests\.UpgradeTests'
	PERMTUI_WALLS_ROUNDS=20 $(SWIFT) test --skip-build --no-parallel --filter '^PermRunTests\..*Shar'
	PERMTUI_DESKTOP_ROWS=10000 $(SWIFT) test --skip-build --no-parallel --filter '^PermPortalTests\.DashboardTests'
	PERMTUI_PORTAL_KILLS=200 $(SWIFT) test --skip-build --no-parallel --filter '^PermPortalTests\.KillTests'
	PERMTUI_PORTAL_MESSAGES=20000 $(SWIFT) test --skip-build --no-parallel --filter '^PermPortalTests\.BackendTests'
	PERMTUI_TOGETHER_SECONDS=600 $(SWIFT) test --skip-build --filter '^PermRunTests\.RepositoryTests'
	$(SWIFT) build --package-path Examples --scratch-path .build-examples
	scripts/packages terminals
	scripts/real-terminals $$($(SWIFT) build --show-bin-path)/permtui .build/pictures

stress: packages-run ## hand a category over 500 000 times while operations are stopped, in a release build
	$(SWIFT) run -c release KernelStress $${PERMTUI_STRESS_ROUNDS:-500000}

bench: packages-bench ## measure beside peers, in the same run
	scripts/bench

fuzz: packages-run ## feed a million inputs to each reader of foreign bytes
	scripts/fuzz

order: packages-order ## find the functions of a start, which later release builds here put next to each other
	built="$$(SWIFT="$(SWIFT)" scripts/release permtui)" && scripts/order-functions "$$built/permtui" && \
	  rm "$$built/permtui"

screenshots: packages-test ## redraw the pictures of the documentation
	PERMTUI_UPDATE_GOLDENS=1 $(SWIFT) test --filter ScreenshotTests

install: packages-walls packages-portal ## install a release build under PREFIX (~/.local)
	built="$$(SWIFT="$(SWIFT)" scripts/release permtui permtui-run permtui-portal)" && \
	  PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install "$$built"

uninstall: ## remove it again; the store stays
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install --remove

deb: packages-deb ## make the Debian packages in .build-packages, and check them
	for name in permtui permtui-run permtui-portal; do \
	  package="$$(scripts/deb $$name)" && scripts/check-package "$$package" || exit 1; \
	done

tarball: packages-walls ## make an archive for other distributions in .build-packages
	scripts/tarball

package-test: packages-package-test ## install, use, upgrade and remove both, in a clean root; needs root
	package="$$(scripts/deb)" && archive="$$(scripts/tarball)" && scripts/check-package "$$package" && \
	  scripts/package-test "$$package" "$$archive"

lint: packages-lint ## check the format of every Swift file, the shell scripts, and the shape of the source tree
	SWIFT="$(SWIFT)" scripts/lint

format: ## format every Swift file
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Examples Benchmarks Fuzz

clean: ## remove all build output
	rm -rf .build .build-*

packages-%:
	@scripts/packages $*
